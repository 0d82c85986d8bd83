// The plan as AgentScope 2's `tasks_context`, and the way back. What a task has no member for is in its metadata, under
// one key, so that nothing is lost on the way through another AgentScope process.
import { SubtaskSchema } from "../../protocol/plans/plan.ts";
import { MAX_PLAN_TEXT_CHARACTERS } from "../../protocol/plans/limits.ts";
import type { Plan, Subtask } from "../../protocol/plans/plan.ts";
import type { Task } from "../../protocol/plans/events.ts";

/** The key in a task's metadata. */
export const RESERVED_TASK_METADATA = "plan";

/** Members of a subtask that a task has no member for. */
type NotebookPart = Pick<
  Subtask,
  "expected_outcome" | "outcome" | "finished_at" | "acceptance" | "state"
>;

export function tasksOf(plan: Plan | null): readonly Task[] {
  return plan?.subtasks.map(taskOf) ?? [];
}

/** An abandoned subtask is a `completed` task: no one has to do it any more. */
export function taskOf(subtask: Subtask): Task {
  const { id, name, description, created_at, owner, blocks, blocked_by, metadata } = subtask;
  const part = notebookPart(subtask);
  return {
    subject: name,
    description,
    metadata: part ? { ...metadata, [RESERVED_TASK_METADATA]: part } : metadata,
    created_at,
    state: taskState(subtask),
    id,
    owner,
    blocks,
    blocked_by,
  };
}

function taskState({ state }: Subtask): Task["state"] {
  if (state === "todo") return "pending";
  return state === "in_progress" ? state : "completed";
}

/** Null for a subtask of which the task says everything. */
function notebookPart(subtask: Subtask): Partial<NotebookPart> | null {
  const { expected_outcome, outcome, finished_at, acceptance, state } = subtask;
  const part = {
    ...(expected_outcome !== "" && { expected_outcome }),
    ...(outcome !== null && { outcome }),
    ...(finished_at !== null && { finished_at }),
    ...(acceptance !== null && { acceptance }),
    ...(state === "abandoned" && { state }),
  };
  return Object.keys(part).length > 0 ? part : null;
}

/** The subtask that a task is; null when it is none. @param given Any JSON. @param now For what it leaves out. */
export function subtaskOf(given: unknown, now: string): Subtask | null {
  if (typeof given !== "object" || given === null) return null;
  const task = given as Partial<Record<keyof Task, unknown>>;
  const metadata = (task.metadata ?? {}) as Record<string, unknown>;
  if (typeof metadata !== "object") return null;
  const { [RESERVED_TASK_METADATA]: part, ...own } = metadata;
  const read = SubtaskSchema.safeParse({
    ...defaults(now),
    ...(typeof part === "object" && part),
    ...members(task),
    state: stateOf(task.state, part),
    metadata: own,
  });
  if (!read.success) return null;
  const { state, finished_at } = read.data;
  const isOver = state === "done" || state === "abandoned";
  return { ...read.data, finished_at: isOver ? (finished_at ?? now) : null };
}

function defaults(now: string): object {
  return {
    expected_outcome: "",
    outcome: null,
    acceptance: null,
    finished_at: null,
    created_at: now,
  };
}

function members(task: Partial<Record<keyof Task, unknown>>): object {
  const created = typeof task.created_at === "string" ? Date.parse(task.created_at) : Number.NaN;
  const description = typeof task.description === "string" ? task.description : "";
  return {
    id: task.id,
    name: task.subject,
    description: description.slice(0, MAX_PLAN_TEXT_CHARACTERS),
    owner: task.owner ?? null,
    blocks: task.blocks ?? [],
    blocked_by: task.blocked_by ?? [],
    ...(Number.isFinite(created) && { created_at: new Date(created).toISOString() }),
  };
}

function stateOf(state: unknown, part: unknown): Subtask["state"] | null {
  switch (state) {
    case undefined:
    case "pending":
      return "todo";
    case "in_progress":
      return state;
    case "completed": {
      const isAbandoned =
        typeof part === "object" && part !== null && "state" in part && part.state === "abandoned";
      return isAbandoned ? "abandoned" : "done";
    }
    default:
      return null;
  }
}
