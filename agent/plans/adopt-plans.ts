// The plans of another session, or of another platform, as those of a new session.
import { ExportedPlansSchema } from "../../protocol/plans/contract.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import {
  MAX_LISTED_SUBTASKS,
  MAX_PLAN_BYTES,
  MAX_PLAN_SUBTASKS,
} from "../../protocol/plans/limits.ts";
import type { Plan, Subtask } from "../../protocol/plans/plan.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { isSameJson } from "../json/is-same-json.ts";
import { importedVersion } from "../state/imported-version.ts";
import { newPlan } from "./change-plan.ts";
import { mostSubtasks } from "./most-subtasks.ts";
import { newestPlans, NO_PLANS, type PlanState } from "./plan-state.ts";
import { subtaskOf, tasksOf } from "./tasks-context.ts";

/** As `AbilityFold.adopt`. What people are asked about at the moment stays with the source. */
export function adoptPlans(snapshot: unknown, agent?: AgentDefinition): PlanState | null {
  const read = ExportedPlansSchema.safeParse(snapshot);
  if (!read.success) return null;
  const { version, current, history, is_suspended } = read.data;
  const ids = [...history, ...(current ? [current] : [])].map(({ id }) => id);
  const most = agent?.plan ? mostSubtasks(agent.plan) : MAX_PLAN_SUBTASKS;
  const isFitting = [...history, ...(current ? [current] : [])].every(fits);
  if (!isFitting || !areUnique(ids) || (current?.subtasks.length ?? 0) > most) return null;
  const adopted = { current, history: newestPlans(history), is_suspended, asked: {} };
  return { version: agent ? importedVersion(version) : version, ...adopted };
}

/**
 * The plans of an imported state: those of `middle_context`, with the tasks of `tasks_context`, which another AgentScope
 * process may have changed.
 * @param kept The plans in `middle_context`, valid; null for none. @param tasks Any JSON; undefined for none.
 * @returns Null when there are none, or the tasks are no tasks.
 */
export function plansWithTasks(
  kept: PlanState | null,
  tasks: unknown,
  { agent, now }: { readonly agent: AgentDefinition; readonly now: string },
): PlanState | null {
  const before = kept?.current ?? null;
  if (!Array.isArray(tasks) || isSameJson(tasks, tasksOf(before))) return kept;
  const subtasks = tasks.map((task) => subtaskOf(task, now));
  const all = subtasks.filter((subtask) => subtask !== null);
  if (all.length < subtasks.length) return kept;
  if (all.length === 0 && !before) return kept;
  const state = kept ?? NO_PLANS;
  const plan: Plan =
    before ?? newPlan(state, { name: "Tasks", description: "", expected_outcome: "" }, now);
  const isBegun = all.some((task) => task.state === "in_progress" || task.state === "done");
  const current = {
    ...plan,
    state: isBegun ? "in_progress" : "todo",
    last_subtask: Math.max(plan.last_subtask, greatestNumber(all)),
    subtasks: all,
  };
  return adoptPlans({ ...state, version: Math.max(1, state.version), current }, agent);
}

/** Whether a plan could have come about here. */
function fits(plan: Plan): boolean {
  const { subtasks, last_subtask } = plan;
  return (
    subtasks.length <= MAX_LISTED_SUBTASKS &&
    utf8Bytes(JSON.stringify(plan)) <= MAX_PLAN_BYTES &&
    areUnique(subtasks.map(({ id }) => id)) &&
    greatestNumber(subtasks) <= last_subtask
  );
}

function greatestNumber(subtasks: readonly Pick<Subtask, "id">[]): number {
  const numbers = subtasks.map(({ id }) => (/^\d{1,9}$/.test(id) ? Number(id) : 0));
  return Math.max(0, ...numbers);
}

function areUnique(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}
