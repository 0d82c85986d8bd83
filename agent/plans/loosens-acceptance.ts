// The steps of plans that a person has to accept, against changes by those who may not confirm.
import type { Plan, Subtask } from "../../protocol/plans/plan.ts";
import { isOpen } from "./change-plan.ts";
import type { PlanState } from "./plan-state.ts";

/** Members of a step that a person reads when they are asked to accept it. */
const SHOWN = ["name", "description", "expected_outcome"] as const;

/**
 * Whether a written plan takes a step from the person who has to accept it. Such a step keeps its words, its criteria and
 * its place among the steps, and becomes done by their yes alone; whatever else is changed is no one's to allow. Another
 * plan in its place, or none, leaves no step of it waiting; one that is recovered is held to what it was when it went.
 */
export function loosensAcceptance(
  { current, history }: Pick<PlanState, "current" | "history">,
  next: Plan | null,
): boolean {
  const isReplaced = current !== null && current.id !== next?.id;
  if (isReplaced && current.subtasks.some((step) => isGuarded(step) && isOpen(step))) return true;
  if (!next) return false;
  const plans = current ? [current, ...history] : history;
  const before = plans.find(({ id }) => id === next.id)?.subtasks ?? [];
  const isKept = (step: Subtask) => {
    const after = next.subtasks.find(({ id }) => id === step.id);
    return after !== undefined && isSameStep(step, after);
  };
  if (!before.filter(isGuarded).every(isKept)) return true;
  const wasDone = new Set(before.flatMap(({ id, state }) => (state === "done" ? [id] : [])));
  return next.subtasks.some(
    (step) => isGuarded(step) && step.state === "done" && !wasDone.has(step.id),
  );
}

function isGuarded({ acceptance }: Subtask): boolean {
  return acceptance?.kind === "person";
}

function isSameStep(before: Subtask, after: Subtask): boolean {
  return (
    SHOWN.every((member) => before[member] === after[member]) &&
    isGuarded(after) &&
    before.acceptance?.criteria === after.acceptance?.criteria
  );
}
