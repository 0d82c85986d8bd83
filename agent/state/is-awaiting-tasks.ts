import { unfinishedCalls, type ReplyState } from "./reply-state.ts";
import { callsAwaitingTasks } from "./task-record.ts";

/** Whether the reply waits for tasks alone: no call of its turn runs, may run now, or waits for an answer. */
export function isAwaitingTasks(state: ReplyState): boolean {
  if (state.tasks.size === 0 || state.is_model_call_open || state.is_interrupted) return false;
  const awaiting = callsAwaitingTasks(state);
  const unfinished = unfinishedCalls(state);
  const begun = new Set(
    state.message.content.flatMap(({ type, id }) => (type === "tool_result" ? [id] : [])),
  );
  return (
    unfinished.some(({ id }) => awaiting.has(id)) &&
    // Calls that are behind one that waits have not begun.
    unfinished.every(
      ({ id, state: at }) => awaiting.has(id) || (at === "pending" && !begun.has(id)),
    )
  );
}
