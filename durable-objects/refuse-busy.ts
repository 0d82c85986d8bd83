// What a client is told that wants a reply while another one is open.
import { refuse, type Result } from "../protocol/errors.ts";
import type { ActiveReply } from "./active-reply.ts";
import { pendingCalls } from "./reply-view.ts";

/** Names the reply and what it waits for, and the ways out. */
export function refuseBusy(reply: ActiveReply): Result<never> {
  const pending = pendingCalls(reply.state.message);
  const extensions = { reply_id: reply.id, pending };
  if (reply.isRunning) {
    return refuse(
      "reply_running",
      `reply ${reply.id} is running; wait for its end, interrupt it, or send on_busy: "interrupt"`,
      { extensions },
    );
  }
  const ids = pending.map(({ tool_call }) => tool_call.id).join(", ");
  return refuse(
    "reply_awaiting",
    `reply ${reply.id} waits for an answer to ${ids}; answer it, interrupt it, or send on_busy: "interrupt"`,
    { extensions },
  );
}
