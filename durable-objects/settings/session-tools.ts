// The tools that a reply's model may call, as declarations for permission rules and schema checks.
import type { ToolDeclaration } from "../../agent/ports.ts";
import { declareTools } from "../../tools/tool-runner.ts";
import type { SessionInit } from "../api/session-api.ts";

/** The agent's, and those that the reply's client brought. */
export function sessionTools({
  agent,
  client,
}: Pick<SessionInit, "agent" | "client">): readonly ToolDeclaration[] {
  return declareTools({ ...agent, client_tools: client?.tools });
}
