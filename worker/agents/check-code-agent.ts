import type { AgentUpdate } from "../../protocol/agents/contract.ts";
import { findCodeAgent } from "../../tools/deployed-agents.ts";
import { fieldError } from "../http-error.ts";

/** Refuses an agent whose code this deployment lacks. */
export function checkCodeAgent({ code_agent }: Pick<AgentUpdate, "code_agent">): void {
  if (typeof code_agent !== "string" || findCodeAgent(code_agent)) return;
  const detail = `this platform was deployed without an agent named ${code_agent}`;
  throw fieldError("validation_failed", "#/code_agent", detail);
}
