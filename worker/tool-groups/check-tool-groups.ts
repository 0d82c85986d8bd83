import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { toolGroupProblems } from "../../protocol/tool-groups/contract.ts";
import { MAX_FIELD_ERRORS } from "../../protocol/requests/limits.ts";
import { HttpError } from "../http-error.ts";

/** Refuses an agent whose groups do not fit its tools. @param definition With what a change leaves. */
export function checkToolGroups(
  definition: Pick<AgentDefinition, "tools" | "tool_groups" | "meta_tool">,
): void {
  const errors = toolGroupProblems(definition).slice(0, MAX_FIELD_ERRORS);
  if (errors.length === 0) return;
  const detail = "the agent's groups of tools do not fit its tools; see `errors`";
  throw new HttpError("validation_failed", detail, { errors });
}
