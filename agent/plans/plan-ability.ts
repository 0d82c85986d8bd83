// Plans: tools with which the model makes and follows one, and a hint that says how far it has come.
import type { PlanSettings } from "../../protocol/plans/contract.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { PLAN, STATE_UPDATED, type PlanUpdate } from "../../protocol/plans/events.ts";
import type { Ability, Settlement } from "../ability.ts";
import type { PersonAsk, ToolDeclaration } from "../ports.ts";
import { planUpdate } from "./change-plan.ts";
import { actOnNotebook, finishProblem } from "./notebook.ts";
import { mostSubtasks } from "./most-subtasks.ts";
import { planHint } from "./plan-hint.ts";
import type { PlanState } from "./plan-state.ts";
import { declaredPlanTools } from "./plan-tools.ts";
import { finishedSubtask, personAsk } from "./subtask-acceptance.ts";
import { actOnTasks } from "./tasks.ts";
import { tasksOf } from "./tasks-context.ts";

/** AgentScope's `permission_context`; undefined when it is left out. */
type PermissionContext = Readonly<Record<string, unknown>> | undefined;

export interface PlanAccess {
  /** The agent's; null for none. */
  readonly settings: PlanSettings | null;
  /** The current state; clients change it too. */
  readonly read: () => PlanState;
  readonly permissionContext: () => PermissionContext;
  /** Unix time in milliseconds. */
  readonly nowMs: () => number;
}

export function planAbility({ settings, read, permissionContext, nowMs }: PlanAccess): Ability {
  // No hint and no tool, so that an agent without plans costs what it did.
  if (!settings) return { name: PLAN };
  const { tools } = settings;
  const maxSubtasks = mostSubtasks(settings);
  const act = tools === "tasks" ? actOnTasks : actOnNotebook;
  const declared = declaredPlanTools(tools).map((tool): ToolDeclaration => ({
    ...tool,
    asksPerson: (input) => question(read(), tool, input),
  }));
  return {
    name: PLAN,
    hint: {
      source: PLAN,
      outlivesReply: true,
      replacesEarlier: true,
      retraction: "What was said of the plan above is out of date.",
      text: () => planHint(read(), settings),
    },
    tools: {
      kind: "log",
      declare: () => declared,
      settle({ call, input }, { message }): Settlement {
        const state = read();
        const now = new Date(nowMs()).toISOString();
        const context = { now, maxSubtasks, asked: state.asked[call.id] ?? null };
        const { text, isError, change } = act(call.name, input, state, context);
        if (!change) return { text, isError };
        const made = planUpdate(state, change, context);
        if (!made.ok) return { text: `Nothing was changed: ${made.problem}.`, isError: true };
        return { text, isError, events: [planEvent(made.update, permissionContext(), message.id)] };
      },
    },
    /** Appends the plan, so that a reader who begins with this reply has it. */
    async begin({ message }) {
      const { version, current } = read();
      if (!current) return [];
      const shown = { version, current, archived: [], patch: [] };
      return [planEvent(shown, permissionContext(), message.id)];
    },
  };
}

/** The event of a change. @param reply_id Left out when people made it. */
export function planEvent(
  plan: PlanUpdate,
  permission_context: PermissionContext,
  reply_id?: string,
): EventDraft {
  const tasks_context = { tasks: tasksOf(plan.current) };
  const value = { tasks_context, ...(permission_context && { permission_context }), plan };
  return {
    type: "CUSTOM",
    name: STATE_UPDATED,
    value,
    ...(reply_id !== undefined && { reply_id }),
  };
}

/** The question to a person before the call runs; null for a call that would be refused anyway. */
function question(
  { current }: PlanState,
  { name }: Pick<ToolDeclaration, "name">,
  input: unknown,
): PersonAsk | null {
  const finished = finishedSubtask(current, name, input);
  if (!current || !finished) return null;
  const { subtask, index } = finished;
  if (subtask.state === "done") return null;
  if (name === "finish_subtask" && finishProblem(current, index)) return null;
  return personAsk(current, subtask);
}
