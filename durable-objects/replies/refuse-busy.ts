// Refusals of requests that cannot be served while a reply is open.
import { refuse, type Result } from "../../protocol/errors.ts";
import type { PendingCall } from "../../protocol/replies/contract.ts";
import type { ActiveReply } from "./active-reply.ts";
import type { CallTable } from "../tables/call-table.ts";
import { pendingCalls } from "./reply-view.ts";
import type { SessionPatch } from "../api/session-api.ts";
import { shownCalls } from "./shown-calls.ts";

/**
 * Permission is not changed while a reply runs: some calls of a round would be decided by other rules than the rest.
 */
export function refusePermissionChange(
  active: ActiveReply | null,
  { permission, working_directories }: SessionPatch,
  journal: Pick<CallTable, "find">,
): Result<never> | null {
  if (!active?.isRunning || (!permission && !working_directories)) return null;
  return refuse(
    "reply_running",
    `reply ${active.id} is running; change the permission when it has ended or waits`,
    {
      extensions: {
        reply_id: active.id,
        pending: shownCalls(pendingCalls(active.state.message, journal)),
      },
    },
  );
}

/** Names the open reply, the calls that it waits for, and what the client can do. */
export function refuseBusy(reply: ActiveReply, journal: Pick<CallTable, "find">): Result<never> {
  const pending = shownCalls(pendingCalls(reply.state.message, journal));
  if (reply.isRunning) return refuseRunning(reply.id, pending);
  const extensions = { reply_id: reply.id, pending };
  const ids = pending.map(({ tool_call }) => tool_call.id).join(", ");
  return refuse(
    "reply_awaiting",
    `reply ${reply.id} waits for an answer to ${ids}; answer it, interrupt it, or send on_busy: "queue" or "interrupt"`,
    { extensions },
  );
}

/** Also for a queued reply that is about to begin. */
export function refuseRunning(
  reply_id: string,
  pending: readonly PendingCall[] = [],
): Result<never> {
  return refuse(
    "reply_running",
    `reply ${reply_id} is running; wait for its end, interrupt it, or send on_busy: "queue" or "interrupt"`,
    { extensions: { reply_id, pending } },
  );
}

export function refuseQueueFull(queued: number): Result<never> {
  return refuse(
    "queue_full",
    `${queued} replies wait for their turn in this session; ask again when one has begun`,
    { extensions: { queued } },
  );
}
