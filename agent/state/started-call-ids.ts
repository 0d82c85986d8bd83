import { callsAwaitingTasks } from "./task-record.ts";
import { unfinishedCalls, type ReplyState } from "./reply-state.ts";

/**
 * The calls that run, or ran when their machine was lost: they have a `TOOL_RESULT_START` and no END. Calls that run
 * outside the platform are not among them, nor those that wait for a task.
 */
export function startedCallIds(state: ReplyState): ReadonlySet<string> {
  const running = new Set(
    state.message.content.flatMap((block) =>
      block.type === "tool_result" && block.state === "running" ? [block.id] : [],
    ),
  );
  const awaiting = callsAwaitingTasks(state);
  return new Set(
    unfinishedCalls(state).flatMap(({ id, state: standing }) =>
      running.has(id) && !awaiting.has(id) && (standing === "pending" || standing === "allowed")
        ? [id]
        : [],
    ),
  );
}
