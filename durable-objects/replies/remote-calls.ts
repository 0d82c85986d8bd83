// Calls of other systems' agents, as the tools of a reply know them (`tools/a2a/remote-calls.ts`): kept in the journal of
// calls, where they outlive this machine.
import { REMOTE_CONTEXTS_FOLD } from "../../agent/a2a/remote-contexts-fold.ts";
import type { EventLog } from "../../agent/ports.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import type { KeptRemoteCall, RemoteCalls } from "../../tools/a2a/remote-calls.ts";
import { REMOTE_CONTEXT } from "../../protocol/a2a/remote-context.ts";
import { remotePushAddress } from "../../storage/a2a/remote-push-address.ts";
import { toBase64Url } from "../../storage/secrets/base64-url.ts";
import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { CallTable } from "../tables/call-table.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** Bytes of an address's id: enough that no two calls of a session share one. */
const PUSH_ID_BYTES = 16;

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

/** The contexts that tools keep over the calls of a session. */
export function remoteContexts(
  abilities: Pick<SessionTables["abilities"], "read">,
  log: Pick<EventLog, "append">,
  reply_id: string,
): Required<Pick<RemoteCalls, "contextOf" | "keepContext">> {
  return {
    contextOf: (toolName) =>
      abilities.read(REMOTE_CONTEXTS_FOLD).find(({ tool_name }) => tool_name === toolName) ?? null,
    keepContext: (context) => {
      log.append([{ type: "CUSTOM", name: REMOTE_CONTEXT, reply_id, value: { ...context } }]);
    },
  };
}

/** The address to which the agent of a call's task posts that it has changed. */
export function pushAddressOf(
  env: Env,
  { tenant_id, session_id, origin }: Pick<SessionInit, "tenant_id" | "session_id" | "origin">,
  replyId: string,
): NonNullable<RemoteCalls["pushAddress"]> {
  const own = readPublicUrl(env) ?? origin ?? null;
  return async (callId, exp) => {
    if (own === null) return null;
    const id = await pushIdOf(replyId, callId);
    const claims = { tenant_id, session_id, push_id: id, exp };
    return { id, ...(await remotePushAddress(env, own, claims)) };
  };
}

/** @param callId Empty for the agent that gives the reply: no call has such an id. */
export async function pushIdOf(replyId: string, callId: string): Promise<string> {
  // Ids of calls are a model's own, of any length.
  const call = new TextEncoder().encode(`${replyId}:${callId}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", call));
  return toBase64Url(digest.subarray(0, PUSH_ID_BYTES));
}

/** Agents that have called each other over A2A above a reply, with those above its caller. */
export function remoteDepth(
  { bounds }: Pick<SessionInit, "bounds">,
  { a2a_depth }: Pick<ReplyState, "a2a_depth">,
): number {
  return a2a_depth ?? bounds?.a2a_depth ?? 0;
}
