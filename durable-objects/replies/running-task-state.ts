import type { A2aTaskState } from "../../protocol/a2a/wire.ts";
import { waitingCalls } from "../../protocol/agent-mcp/waiting-calls.ts";
import { a2aTaskState } from "../../protocol/dialects/a2a/task-state.ts";
import { waitingStatus } from "../../protocol/dialects/a2a/to-a2a-task.ts";
import type { ActiveReply } from "./active-reply.ts";
import { viewActiveReply } from "./reply-view.ts";

/** The state of a task whose reply runs: agents that it has called may ask somebody, and nothing else go on. */
export function runningTaskState(
  session: Parameters<typeof viewActiveReply>[0],
  active: ActiveReply,
): A2aTaskState {
  const reply = viewActiveReply(session, active);
  const asked = waitingCalls(reply).map(({ call }) => call);
  return a2aTaskState(waitingStatus(reply), asked);
}
