import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { memoryToolProblems } from "../../protocol/memory/tool-names.ts";
import { HttpError } from "../http-error.ts";

/** Refuses an agent of which a tool has the name of one of its memory's. @param definition With what a change leaves. */
export function checkMemoryTools(definition: Pick<AgentDefinition, "tools" | "memory">): void {
  const errors = memoryToolProblems(definition);
  if (errors.length === 0) return;
  const detail = "tools of the agent have names of its memory's tools; see `errors`";
  throw new HttpError("validation_failed", detail, { errors: [...errors] });
}
