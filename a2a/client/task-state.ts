import type { A2aStreamResponse, A2aTaskState } from "../../protocol/a2a/wire.ts";

const TERMINAL: ReadonlySet<A2aTaskState> = new Set<A2aTaskState>([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);
const INTERRUPTED: ReadonlySet<A2aTaskState> = new Set<A2aTaskState>([
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
]);

/** Whether the task is over. */
export function isTerminal(state: A2aTaskState): boolean {
  return TERMINAL.has(state);
}

/** True for a task that has ended, or waits for input or a sign-in. */
export function isAtRest(state: A2aTaskState): boolean {
  return isTerminal(state) || INTERRUPTED.has(state);
}

/** The state that the frame tells; null where it tells none. */
export function stateOf({ task, statusUpdate }: A2aStreamResponse): A2aTaskState | null {
  return (task ?? statusUpdate)?.status.state ?? null;
}
