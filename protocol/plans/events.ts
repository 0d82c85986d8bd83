// Names and shapes of a session's plans: the event that a change is, the tools with which a model makes one, and the plan
// itself.
import type { AgentEvent } from "../events.ts";
import type { PatchOperation } from "../json-patch.ts";
import type { Plan } from "./plan.ts";

/** The ability's name, by which the log's snapshots of its state are known. */
export const PLAN = "plan";

/** The `name` of the `CUSTOM` event of a change, which is AgentScope's own; its `value` is a {@link StateUpdatedValue}. */
export const STATE_UPDATED = "state_updated";

/** The tools of AgentScope 1's `PlanNotebook`, in the order of its `list_tools`. */
export const NOTEBOOK_TOOLS = [
  "view_subtasks",
  "update_subtask_state",
  "finish_subtask",
  "create_plan",
  "revise_current_plan",
  "finish_plan",
  "view_historical_plans",
  "recover_historical_plan",
] as const;
/** The tools of AgentScope 2's tasks. */
export const TASK_TOOLS = ["TaskCreate", "TaskGet", "TaskList", "TaskUpdate"] as const;

/** The tools that an agent with this setting gets. */
export function planToolNames({ tools }: { readonly tools: PlanTools }): readonly string[] {
  return tools === "tasks" ? TASK_TOOLS : NOTEBOOK_TOOLS;
}

export type PlanTools = "notebook" | "tasks";
/** One change of the plans, or, at the beginning of a reply, the plan as it is: `version` is then that of before. */
export interface PlanUpdate {
  /** The number of changes so far. */
  readonly version: number;
  /** The whole plan; null when there is none now. */
  readonly current: Plan | null;
  /** Plans that became part of the history, oldest first. */
  readonly archived: readonly Plan[];
  /** The change of `current`; null where it was another plan before, or none; empty where the plan is only shown. */
  readonly patch: readonly PatchOperation[] | null;
}

/** Whether the plan is shown as it is, and was not changed. */
export function isShownOnly({ patch }: PlanUpdate): boolean {
  return patch?.length === 0;
}

/** Task of AgentScope 2.x. */
export interface Task {
  readonly subject: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly state: "pending" | "in_progress" | "completed";
  readonly id: string;
  readonly owner: string | null;
  readonly blocks: readonly string[];
  readonly blocked_by: readonly string[];
}

/** `tasks_context` and `permission_context` are AgentScope's; `plan` is ours. */
export interface StateUpdatedValue {
  readonly tasks_context: { readonly tasks: readonly Task[] };
  /** Left out when its rules are too many for each change of a plan to repeat them. */
  readonly permission_context?: Readonly<Record<string, unknown>>;
  readonly plan: PlanUpdate;
}

/** The change that an event of the log is; null for every other event. */
export function planUpdateOf(event: AgentEvent): PlanUpdate | null {
  if (event.type !== "CUSTOM" || event.name !== STATE_UPDATED) return null;
  // The platform alone writes this event, so its shape is known.
  return (event.value as Partial<StateUpdatedValue>).plan ?? null;
}
