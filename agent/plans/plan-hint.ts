// The hint about the plan that the model gets before each call: the agent's own texts, or the platform's.
import type { PlanHints, PlanSettings } from "../../protocol/plans/contract.ts";
import type { Plan, Subtask } from "../../protocol/plans/plan.ts";
import type { PlanTools } from "../../protocol/plans/events.ts";
import { readTemplate } from "../../protocol/words/read-template.ts";
import { isOpen } from "./change-plan.ts";
import type { PlanState } from "./plan-state.ts";
import { describePlan, describeSubtask } from "./plan-text.ts";

type HintCase = keyof PlanHints;

const WISHES =
  "If the user asks for something else, do that first, and come back to the plan afterwards.";

const NOTEBOOK_HINTS: Readonly<Record<HintCase, string>> = {
  no_plan:
    "When the user asks for something that takes many steps, such as research from several sources or building an " +
    "application, call create_plan first. Do what is simple without a plan.",
  at_the_beginning: `The current plan:\n{plan}\n\nNone of it was begun. To begin, call update_subtask_state with subtask_idx={index} and state="in_progress". If the plan has to be changed first, call revise_current_plan. If the user does not want it any more, make sure of that and call finish_plan. ${WISHES}`,
  when_a_subtask_in_progress: `The current plan:\n{plan}\n\nSubtask {subtask_idx} ("{subtask_name}") is in progress:\n{subtask}\n\nGo on with it. Once it is done, call finish_subtask with what came of it. If you need something from the user, ask. If the rest of the plan has to be changed, call revise_current_plan. ${WISHES}`,
  when_no_subtask_in_progress: `The current plan:\n{plan}\n\nNo subtask is in progress. The next one is subtask {index}: call update_subtask_state with state="in_progress" for it. If the plan has to be changed first, call revise_current_plan. ${WISHES}`,
  at_the_end: `The current plan:\n{plan}\n\nEvery subtask is done or abandoned. Call finish_plan with what came of it and tell the user, or call revise_current_plan when something is missing. ${WISHES}`,
};

const OPEN_TASKS = `The tasks:\n{plan}\n\nKeep them up to date with TaskUpdate: "in_progress" when you begin one, "completed" when it is done. ${WISHES}`;
const TASK_HINTS: Readonly<Record<HintCase, string>> = {
  no_plan:
    "When the user asks for something that takes many steps, make a list of them with TaskCreate. Do what is simple " +
    "without one.",
  at_the_beginning: OPEN_TASKS,
  when_a_subtask_in_progress: `${OPEN_TASKS}\n{subtask}`,
  when_no_subtask_in_progress: OPEN_TASKS,
  at_the_end: `The tasks:\n{plan}\n\nAll of them are completed. Tell the user what came of them. ${WISHES}`,
};

const SUSPENDED =
  "The user interrupted the last reply, so the plan is suspended: go on with it when they want that.";

/** Null for no hint. */
export function planHint(state: PlanState, settings: PlanSettings): string | null {
  const { current: plan, is_suspended } = state;
  const which = caseOf(plan);
  const template = templateOf(which, settings);
  if (template === null) return null;
  const text = fill(template, valuesOf(plan, settings));
  const said = plan && is_suspended ? `${SUSPENDED}\n${text}` : text;
  return isOwn(which, settings) ? said : `<system-hint>${said}</system-hint>`;
}

/** The first that applies. */
function caseOf(plan: Plan | null): HintCase {
  if (!plan) return "no_plan";
  const { subtasks } = plan;
  if (subtasks.some(({ state }) => state === "in_progress")) return "when_a_subtask_in_progress";
  if (subtasks.length > 0 && !subtasks.some(isOpen)) return "at_the_end";
  return subtasks.some(({ state }) => state === "done")
    ? "when_no_subtask_in_progress"
    : "at_the_beginning";
}

function isOwn(which: HintCase, { hint_template: own }: PlanSettings): boolean {
  return typeof own === "string" || (own !== undefined && own[which] !== undefined);
}

function templateOf(which: HintCase, { hint_template: own, tools }: PlanSettings): string | null {
  if (typeof own === "string") return own;
  const given = own?.[which];
  return given === undefined ? defaultsOf(tools)[which] : given;
}

function defaultsOf(tools: PlanTools): Readonly<Record<HintCase, string>> {
  return tools === "tasks" ? TASK_HINTS : NOTEBOOK_HINTS;
}

/** The text with the plan in it. Its placeholders were checked when the agent was written. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  const template = readTemplate(text);
  if (!template.ok) return text;
  return template.parts
    .map((part) => (typeof part === "string" ? part : (values[part.join("/")] ?? "")))
    .join("");
}

function valuesOf(
  plan: Plan | null,
  { tools }: Pick<PlanSettings, "tools">,
): Readonly<Record<string, string>> {
  if (!plan) return { plan: "There is no plan." };
  const running = plan.subtasks.findIndex(({ state }) => state === "in_progress");
  const next = plan.subtasks.findIndex(({ state }) => state === "todo");
  const subtask: Subtask | undefined = plan.subtasks[running];
  return {
    plan: describePlan(plan, tools),
    index: next === -1 ? "" : String(next),
    subtask_idx: subtask ? String(running) : "",
    subtask_name: subtask?.name ?? "",
    subtask: subtask ? describeSubtask(subtask) : "",
  };
}
