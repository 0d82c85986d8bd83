// The state of a task, from that of its reply.
import type { A2aTaskState } from "../../a2a/wire.ts";
import type { PendingCall, ReplyStatus } from "../../replies/contract.ts";

/** @param waiting The calls that wait; of a reply that does not wait, they say nothing. */
export function a2aTaskState(
  status: ReplyStatus,
  waiting: readonly Pick<PendingCall, "authorization">[],
): A2aTaskState {
  switch (status) {
    case "running":
      return "TASK_STATE_WORKING";
    case "awaiting_permission":
    case "awaiting_external_result":
      return isSignIn(waiting) ? "TASK_STATE_AUTH_REQUIRED" : "TASK_STATE_INPUT_REQUIRED";
    case "completed":
      return "TASK_STATE_COMPLETED";
    case "interrupted":
      return "TASK_STATE_CANCELED";
    case "error":
    case "exceed_max_iters":
      return "TASK_STATE_FAILED";
    default:
      return status satisfies never;
  }
}

/** Nothing waits but sign-ins: while a client can answer anything else, that is what the task asks for. */
function isSignIn(waiting: readonly Pick<PendingCall, "authorization">[]): boolean {
  return waiting.length > 0 && waiting.every(({ authorization }) => authorization !== undefined);
}
