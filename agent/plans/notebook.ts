// The tools of the notebook: what each call does with the plans. Pure: a call gives a text for the model and, when it
// changes anything, the plans as they are then.
import type { Plan, PlanStepState, Subtask } from "../../protocol/plans/plan.ts";
import {
  closedPlan,
  isOpen,
  newPlan,
  openAcceptance,
  reopenedPlan,
  replacedPlan,
  withoutSubtask,
  withSubtask,
  withSubtaskAt,
  type NewSubtask,
  type PlanActContext,
  type PlanChange,
  type PlanHead,
} from "./change-plan.ts";
import type { PlanState } from "./plan-state.ts";
import { describePlan, describeSubtask } from "./plan-text.ts";
import { finishSubtask, reopenSubtask, type Finishing } from "./subtask-acceptance.ts";

/** The outcome of a call of a plan's tool. */
export interface PlanAct {
  readonly text: string;
  readonly isError?: boolean;
  /** Left out when nothing changes. */
  readonly change?: PlanChange;
}

/** The context of such a call, beside the plans. */
export type NotebookContext = PlanActContext & Pick<Finishing, "asked">;

/** @param input Valid against the schema of the tool. */
export function actOnNotebook(
  name: string,
  input: unknown,
  state: PlanState,
  context: NotebookContext,
): PlanAct {
  const { now } = context;
  switch (name) {
    case "create_plan":
      return createPlan(state, input as PlanHead & { subtasks: readonly NewSubtask[] }, now);
    case "view_historical_plans":
      return { text: listHistory(state) };
    case "recover_historical_plan":
      return recoverPlan(state, (input as { plan_id: string }).plan_id, now);
    case "finish_plan":
      return finishPlan(state, input as { state: "done" | "abandoned"; outcome: string }, now);
    default:
  }
  const { current: plan } = state;
  if (!plan) return refuseAct("There is no plan. Call create_plan first.");
  switch (name) {
    case "view_subtasks":
      return {
        text: viewSubtasks(plan, (input as { subtask_idx: readonly number[] }).subtask_idx),
      };
    case "update_subtask_state":
      return updateState(plan, input as StateInput, state.is_suspended, now);
    case "finish_subtask":
      return finish(plan, input as { subtask_idx: number; subtask_outcome: string }, context);
    default:
      return revise(plan, input as ReviseInput, now);
  }
}

/** An act that changes nothing, and the sentence that says why. */
export function refuseAct(text: string): PlanAct {
  return { text, isError: true };
}

function createPlan(
  state: PlanState,
  { subtasks, ...head }: PlanHead & { readonly subtasks: readonly NewSubtask[] },
  now: string,
): PlanAct {
  const current = subtasks.reduce(
    (plan, subtask) => withSubtask(plan, subtask, plan.subtasks.length, now),
    newPlan(state, head, now),
  );
  const archived = replacedPlan(state, now);
  const replaced = archived.map(({ name, id }) => ` The plan "${name}" (${id}) was abandoned.`);
  const text = `The plan "${current.name}" was created.${replaced.join("")}`;
  return { text, change: { current, archived } };
}

function viewSubtasks(plan: Plan, indexes: readonly number[]): string {
  const missing = indexes.filter((index) => !plan.subtasks[index]);
  const shown = indexes.flatMap((index) => {
    const subtask = plan.subtasks[index];
    return subtask ? [`Subtask ${index}:\n${describeSubtask(subtask)}`] : [];
  });
  if (missing.length > 0) shown.push(outOfRange(plan, missing));
  return shown.join("\n\n");
}

function outOfRange({ subtasks }: Plan, indexes: readonly number[]): string {
  const range = subtasks.length === 0 ? "it has none" : `they are 0 to ${subtasks.length - 1}`;
  return `The plan has no subtask ${indexes.slice(0, 10).join(", ")}: ${range}.`;
}

/** The first subtask before `index` that is neither done nor abandoned, as a sentence; null when there is none. */
function earlierProblem({ subtasks }: Plan, index: number): string | null {
  const earlier = subtasks.findIndex((subtask, at) => at < index && isOpen(subtask));
  if (earlier === -1) return null;
  const { name, state } = subtasks[earlier] as Subtask;
  return `Subtask ${earlier} ("${name}") is ${state}: it has to be done or abandoned before subtask ${index}.`;
}

interface StateInput {
  readonly subtask_idx: number;
  readonly state: Exclude<PlanStepState, "done">;
}

function updateState(
  plan: Plan,
  { subtask_idx: index, state }: StateInput,
  isSuspended: boolean,
  now: string,
): PlanAct {
  const subtask = plan.subtasks[index];
  if (!subtask) return refuseAct(outOfRange(plan, [index]));
  if (state === "in_progress") {
    const running = plan.subtasks.findIndex((other) => other.state === "in_progress");
    const problem = earlierProblem(plan, index);
    if (problem) return refuseAct(problem);
    // The one that an interrupt has suspended continues.
    if (running !== -1 && !(isSuspended && running === index)) {
      return refuseAct(
        `Subtask ${running} ("${plan.subtasks[running]?.name}") is in_progress: finish it first.`,
      );
    }
  }
  const current = withSubtaskAt(plan, index, reopenSubtask(subtask, state, now));
  return { text: `Subtask ${index} ("${subtask.name}") is ${state} now.`, change: { current } };
}

/** The reason that the subtask cannot be finished now, as a sentence; null when it can. */
export function finishProblem(plan: Plan, index: number): string | null {
  const subtask = plan.subtasks[index];
  if (!subtask) return outOfRange(plan, [index]);
  if (!isOpen(subtask)) {
    return `Subtask ${index} ("${subtask.name}") is ${subtask.state} already. To work on it again, set its state first.`;
  }
  return earlierProblem(plan, index);
}

function finish(
  plan: Plan,
  { subtask_idx: index, subtask_outcome }: { subtask_idx: number; subtask_outcome: string },
  { asked, now }: NotebookContext,
): PlanAct {
  const problem = finishProblem(plan, index);
  const subtask = plan.subtasks[index];
  if (problem || !subtask) return refuseAct(problem ?? "");
  const finished = finishSubtask(plan, subtask, { asked, outcome: subtask_outcome, now });
  if (finished.type === "refused") return refuseAct(finished.text);
  const changed = withSubtaskAt(plan, index, finished.subtask);
  if (finished.type === "review") return { text: finished.text, change: { current: changed } };
  const text = `Subtask ${index} ("${subtask.name}") is done.`;
  const isBusy = changed.subtasks.some((other) => other.state === "in_progress");
  const next = isBusy ? -1 : changed.subtasks.findIndex((other) => other.state === "todo");
  const following = changed.subtasks[next];
  if (!following) return { text, change: { current: changed } };
  const current = withSubtaskAt(changed, next, reopenSubtask(following, "in_progress", now));
  return {
    text: `${text} Subtask ${next} ("${following.name}") is in_progress now.`,
    change: { current },
  };
}

interface ReviseInput {
  readonly subtask_idx: number;
  readonly action: "add" | "revise" | "delete";
  readonly subtask?: NewSubtask | null;
}

function revise(plan: Plan, input: ReviseInput, now: string): PlanAct {
  const { subtask_idx: index, action, subtask: given = null } = input;
  const { length } = plan.subtasks;
  if (action !== "delete" && !given) return refuseAct(`To ${action} a subtask, give it.`);
  if (action === "add" && given) {
    if (index > length) {
      return refuseAct(`A subtask can be added at 0 to ${length}, not at ${index}.`);
    }
    const current = withSubtask(plan, given, index, now);
    return { text: `A subtask was added at ${index}: "${given.name}".`, change: { current } };
  }
  const subtask = plan.subtasks[index];
  if (!subtask) return refuseAct(outOfRange(plan, [index]));
  if (action === "delete") {
    const problem = removalProblem(subtask);
    if (problem) return refuseAct(problem);
    if (length === 1)
      return refuseAct("It is the only subtask. Call finish_plan in place of this.");
    const text = `Subtask ${index} ("${subtask.name}") was deleted.`;
    return { text, change: { current: withoutSubtask(plan, index) } };
  }
  // Work that was done, and maybe accepted, is not made into something else.
  if (!isOpen(subtask)) {
    return refuseAct(
      `Subtask ${index} ("${subtask.name}") is ${subtask.state}: set its state first.`,
    );
  }
  const { name, description, expected_outcome, acceptance = null } = given ?? subtask;
  // The model may add an acceptance; the one that a step has stays.
  const revised = { ...subtask, name, description, expected_outcome };
  const current = withSubtaskAt(plan, index, {
    ...revised,
    acceptance: subtask.acceptance
      ? openAcceptance(subtask.acceptance)
      : openAcceptance(acceptance),
  });
  return { text: `Subtask ${index} was revised.`, change: { current } };
}

/** A step that a person has to accept does not vanish; it may be abandoned, which everyone sees. */
export function removalProblem({ acceptance }: Subtask): string | null {
  if (acceptance?.kind !== "person") return null;
  return "A person has to accept this step, so it cannot be deleted.";
}

function finishPlan(
  { current }: PlanState,
  { state, outcome }: { readonly state: "done" | "abandoned"; readonly outcome: string },
  now: string,
): PlanAct {
  if (!current) return refuseAct("There is no plan to finish.");
  const open = current.subtasks.findIndex(isOpen);
  if (state === "done" && open !== -1) {
    const { name } = current.subtasks[open] as Subtask;
    const text = `Subtask ${open} ("${name}") is neither done nor abandoned, so the plan is not done.`;
    return refuseAct(text);
  }
  const archived = [closedPlan(current, state, { now, outcome })];
  return { text: `The plan "${current.name}" is ${state}.`, change: { current: null, archived } };
}

function listHistory({ history }: PlanState): string {
  if (history.length === 0) return "There are no earlier plans.";
  return history
    .map(
      ({ name, id, created_at, description, state }) =>
        `Plan "${name}"\n- id: ${id}\n- created at: ${created_at}\n- description: ${description}\n- state: ${state}`,
    )
    .join("\n\n");
}

function recoverPlan(state: PlanState, planId: string, now: string): PlanAct {
  const found = state.history.find(({ id }) => id === planId);
  if (!found) {
    const text = `There is no earlier plan ${planId}. Call view_historical_plans for their ids.`;
    return refuseAct(text);
  }
  const current = reopenedPlan(found);
  const archived = replacedPlan(state, now);
  const replaced = archived.map(({ name, id }) => ` The plan "${name}" (${id}) was abandoned.`);
  const text = `The plan "${found.name}" is the current one again.${replaced.join("")}\n${describePlan(current)}`;
  return { text, change: { current, archived } };
}
