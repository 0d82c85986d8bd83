// The acceptance of a subtask: by the model, which is asked once to compare its outcome with the criteria, or by a
// person, who confirms the call that finishes it.
import type { Plan, Subtask } from "../../protocol/plans/plan.ts";
import { isSameJson } from "../json/is-same-json.ts";
import type { PersonAsk } from "../ports.ts";
import { plainLine } from "../tool-call/confirmation-question.ts";
import type { AskedStep } from "./plan-state.ts";

/** Characters of the criteria in a question; the whole of them is in the plan. */
const MAX_ASKED_CHARACTERS = 300;

/** The calls that may finish a subtask. */
const FINISHING = { notebook: "finish_subtask", tasks: "TaskUpdate" } as const;

/** The subtask that a call would finish; null when it finishes none. @param input Parsed JSON. */
export function finishedSubtask(
  plan: Plan | null,
  name: string,
  input: unknown,
): { readonly subtask: Subtask; readonly index: number } | null {
  if (!plan || typeof input !== "object" || input === null) return null;
  const given = input as { subtask_idx?: unknown; task_id?: unknown; status?: unknown };
  let index = -1;
  if (name === FINISHING.notebook && typeof given.subtask_idx === "number") {
    index = given.subtask_idx;
  } else if (name === FINISHING.tasks && given.status === "completed") {
    index = plan.subtasks.findIndex(({ id }) => id === given.task_id);
  }
  const subtask = plan.subtasks[index];
  return subtask ? { subtask, index } : null;
}

/** The question to a person who has to accept the subtask; null when no person has to. */
export function personAsk(plan: Plan, subtask: Subtask): PersonAsk | null {
  const { name, acceptance } = subtask;
  if (acceptance?.kind !== "person") return null;
  const criteria = plainLine(acceptance.criteria, MAX_ASKED_CHARACTERS);
  return {
    reason: "A person has to accept this step of the plan.",
    question: `Accept the step "${plainLine(name)}" as done? Criteria: ${criteria}`,
    about: { ...shownStep(plan, subtask) },
  };
}

/** The plan may be changed while a person thinks: their yes is about the step that they were shown. */
function shownStep(plan: Plan, subtask: Subtask): AskedStep {
  const { id: subtask_id, name, description, expected_outcome, acceptance } = subtask;
  const criteria = acceptance?.criteria ?? "";
  return { plan_id: plan.id, subtask_id, name, description, expected_outcome, criteria };
}

export interface Finishing {
  /** The step that a person was asked about by this call; null when no one was asked. */
  readonly asked: AskedStep | null;
  readonly outcome: string | null;
  readonly now: string;
}

export type Finished =
  | { readonly type: "done"; readonly subtask: Subtask }
  /** The model has to look at its outcome first. */
  | { readonly type: "review"; readonly subtask: Subtask; readonly text: string }
  | { readonly type: "refused"; readonly text: string };

/** Finishes a subtask, or says what is missing. */
export function finishSubtask(
  plan: Plan,
  subtask: Subtask,
  { asked, outcome, now }: Finishing,
): Finished {
  const { acceptance } = subtask;
  if (acceptance?.kind === "person" && !isSameJson(asked, shownStep(plan, subtask))) {
    const text = asked
      ? "The step was changed while a person was asked about it, so their answer does not count. Look at the plan, and finish the step again."
      : "A person has to accept this step.";
    return { type: "refused", text };
  }
  if (acceptance?.kind === "model" && acceptance.state !== "reviewing") {
    const text = `The step is not finished yet. Compare its outcome with the criteria: ${acceptance.criteria}\nIf all of them are met, make the same call again; else work on.`;
    const reviewing = { ...acceptance, state: "reviewing" } as const;
    return { type: "review", subtask: { ...subtask, acceptance: reviewing }, text };
  }
  const accepted = acceptance && ({ ...acceptance, state: "accepted" } as const);
  const done = { state: "done", outcome, acceptance: accepted, finished_at: now } as const;
  return { type: "done", subtask: { ...subtask, ...done } };
}

/** The subtask in a state that is not `done`: what was said about its end does not hold any more. */
export function reopenSubtask(
  subtask: Subtask,
  state: Exclude<Subtask["state"], "done">,
  now: string,
): Subtask {
  return {
    ...subtask,
    state,
    outcome: null,
    finished_at: state === "abandoned" ? now : null,
    acceptance: subtask.acceptance && { ...subtask.acceptance, state: "open" },
  };
}
