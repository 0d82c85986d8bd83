// Calls of other systems' agents, as the tools of a reply know them (`tools/a2a/remote-calls.ts`): kept in the journal of
// calls, where they outlive this machine.
import type { ReplyState } from "../../agent/state/reply-state.ts";
import type { KeptRemoteCall, RemoteCalls } from "../../tools/a2a/remote-calls.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { CallTable } from "../tables/call-table.ts";

export function remoteCalls(
  init: Pick<SessionInit, "bounds">,
  calls: Pick<CallTable, "keep" | "kept">,
  state: Pick<ReplyState, "a2a_depth">,
): RemoteCalls {
  return {
    depth: remoteDepth(init, state),
    kept(callId) {
      const kept = calls.kept(callId);
      return kept === null ? null : (JSON.parse(kept) as KeptRemoteCall);
    },
    keep: (callId, call) => calls.keep(callId, JSON.stringify(call)),
  };
}

/** Agents that have called each other over A2A above a reply, with those above its caller. */
export function remoteDepth(
  { bounds }: Pick<SessionInit, "bounds">,
  { a2a_depth }: Pick<ReplyState, "a2a_depth">,
): number {
  return a2a_depth ?? bounds?.a2a_depth ?? 0;
}
