// AgentScope 2's tools of tasks, over the same plans as the notebook's: a task is a subtask of the current plan. There is
// no order and no limit to how many are worked on at once.
import type { Plan, Subtask } from "../../protocol/plans/plan.ts";
import type { Task } from "../../protocol/plans/events.ts";
import { MAX_LISTED_SUBTASKS } from "../../protocol/plans/limits.ts";
import { isOpen, newPlan, withoutSubtask, withSubtask, withSubtaskAt } from "./change-plan.ts";
import { refuseAct, removalProblem, type NotebookContext, type PlanAct } from "./notebook.ts";
import type { PlanState } from "./plan-state.ts";
import { describeTask } from "./plan-text.ts";
import { finishSubtask, reopenSubtask } from "./subtask-acceptance.ts";
import { RESERVED_TASK_METADATA, taskOf } from "./tasks-context.ts";

/** The plan that the first task begins. */
const UNNAMED = { name: "Tasks", description: "", expected_outcome: "" };

/** @param input Valid against the schema of the tool. */
export function actOnTasks(
  name: string,
  input: unknown,
  state: PlanState,
  context: NotebookContext,
): PlanAct {
  switch (name) {
    case "TaskCreate":
      return createTask(state, input as CreateInput, context.now);
    case "TaskList":
      return { text: listTasks(state.current) };
    case "TaskGet":
      return withTask(state.current, (input as { task_id: string }).task_id, (_, task) => ({
        text: JSON.stringify(taskOf(task)),
      }));
    default: {
      const update = input as UpdateInput;
      return withTask(state.current, update.task_id, (plan, task) =>
        updateTask(plan, task, update, context),
      );
    }
  }
}

interface CreateInput {
  readonly subject: string;
  readonly description: string;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

function createTask(
  state: PlanState,
  { subject, description, metadata }: CreateInput,
  now: string,
): PlanAct {
  const plan = state.current ?? newPlan(state, UNNAMED, now);
  const task = {
    name: subject,
    description,
    expected_outcome: "",
    metadata: ownMetadata(metadata),
  };
  const current = withSubtask(plan, task, plan.subtasks.length, now);
  return { text: `Task ${current.last_subtask} was created: ${subject}`, change: { current } };
}

function listTasks(plan: Plan | null): string {
  if (!plan || plan.subtasks.length === 0) return "There are no tasks.";
  return plan.subtasks.map(describeTask).join("\n");
}

function withTask(
  plan: Plan | null,
  id: string,
  act: (plan: Plan, task: Subtask) => PlanAct,
): PlanAct {
  const task = plan?.subtasks.find((candidate) => candidate.id === id);
  if (!plan || !task) return refuseAct(`There is no task ${id}. Call TaskList for the tasks.`);
  return act(plan, task);
}

interface UpdateInput {
  readonly task_id: string;
  readonly subject?: string | null;
  readonly description?: string | null;
  readonly owner?: string | null;
  readonly status?: Task["state"] | "deleted" | null;
  readonly add_blocks?: readonly string[] | null;
  readonly add_blocked_by?: readonly string[] | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

function updateTask(
  plan: Plan,
  task: Subtask,
  update: UpdateInput,
  { asked, now }: NotebookContext,
): PlanAct {
  const { id } = task;
  const index = plan.subtasks.indexOf(task);
  if (update.status === "deleted") {
    const problem = removalProblem(task);
    if (problem) return refuseAct(problem);
    return { text: `Task ${id} was deleted.`, change: { current: withoutSubtask(plan, index) } };
  }
  const isRewritten = typeof (update.subject ?? update.description) === "string";
  if (isRewritten && task.acceptance?.kind === "person" && !isOpen(task)) {
    return refuseAct(`Task ${id} was accepted by a person: set its status before you change it.`);
  }
  const moved = withStatus(plan, task, update.status ?? null, { asked, now });
  if (moved.text !== undefined && !moved.subtask) return refuseAct(moved.text);
  const changed = { ...(moved.subtask ?? task), ...detailsOf(task, update) };
  const linked = addLinks(withSubtaskAt(plan, index, changed), id, update);
  const text = moved.text ?? `Task ${id} was updated.`;
  return JSON.stringify(linked) === JSON.stringify(plan)
    ? { text: `Task ${id} is so already.` }
    : { text, change: { current: linked } };
}

interface Moved {
  readonly subtask?: Subtask;
  readonly text?: string;
}

function withStatus(
  plan: Plan,
  task: Subtask,
  status: Task["state"] | null,
  { asked, now }: Pick<NotebookContext, "asked" | "now">,
): Moved {
  switch (status) {
    case null:
      return {};
    case "completed": {
      if (task.state === "done") return {};
      const finished = finishSubtask(plan, task, { asked, outcome: task.outcome, now });
      if (finished.type === "refused") return { text: finished.text };
      if (finished.type === "done") return { subtask: finished.subtask };
      return { subtask: finished.subtask, text: finished.text };
    }
    default: {
      const state = status === "pending" ? "todo" : status;
      return task.state === state ? {} : { subtask: reopenSubtask(task, state, now) };
    }
  }
}

/** The task's details after the update: a member that is left out, or null, stays as it is. */
function detailsOf(
  task: Subtask,
  { subject, description, owner, metadata }: UpdateInput,
): Pick<Subtask, "name" | "description" | "owner" | "metadata"> {
  const given = Object.entries({ ...task.metadata, ...ownMetadata(metadata) });
  return {
    name: subject ?? task.name,
    description: description ?? task.description,
    owner: owner ?? task.owner,
    // Null takes a key away.
    metadata: Object.fromEntries(given.filter(([, value]) => value !== null)),
  };
}

/** Without the key under which a task shows what the notebook knows of it beside. */
function ownMetadata(
  metadata: Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, unknown>> {
  const { [RESERVED_TASK_METADATA]: _, ...own } = metadata ?? {};
  return own;
}

/** Writes a link at both of its ends. Ids that no other task has are left out. */
function addLinks(plan: Plan, id: string, { add_blocks, add_blocked_by }: UpdateInput): Plan {
  const isOther = (other: string): boolean =>
    other !== id && plan.subtasks.some((subtask) => subtask.id === other);
  const blocks = (add_blocks ?? []).filter(isOther);
  const blockedBy = (add_blocked_by ?? []).filter(isOther);
  if (blocks.length + blockedBy.length === 0) return plan;
  const subtasks = plan.subtasks.map((subtask): Subtask => {
    if (subtask.id === id) {
      return {
        ...subtask,
        blocks: joined(subtask.blocks, blocks),
        blocked_by: joined(subtask.blocked_by, blockedBy),
      };
    }
    const isBlocked = blocks.includes(subtask.id);
    const isBlocking = blockedBy.includes(subtask.id);
    if (!isBlocked && !isBlocking) return subtask;
    return {
      ...subtask,
      blocks: isBlocking ? joined(subtask.blocks, [id]) : subtask.blocks,
      blocked_by: isBlocked ? joined(subtask.blocked_by, [id]) : subtask.blocked_by,
    };
  });
  return { ...plan, subtasks };
}

function joined(before: readonly string[], added: readonly string[]): readonly string[] {
  return [...new Set([...before, ...added])].slice(0, MAX_LISTED_SUBTASKS);
}
