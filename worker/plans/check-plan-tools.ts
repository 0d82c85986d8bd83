import { planToolProblems } from "../../protocol/plans/contract.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { HttpError } from "../http-error.ts";

/** Refuses an agent of which a tool has the name of one of its plan's. @param definition With what a change leaves. */
export function checkPlanTools(definition: Pick<AgentDefinition, "tools" | "plan">): void {
  const errors = planToolProblems(definition);
  if (errors.length === 0) return;
  const detail = "tools of the agent have names of its plan's tools; see `errors`";
  throw new HttpError("validation_failed", detail, { errors: [...errors] });
}
