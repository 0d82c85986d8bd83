// A client that leaves. In 2026-07-28 a stream that was closed is a cancellation of its call; before, it was none. A lost
// network looks the same to the server, so the reply is interrupted only after a while, in which the client may come
// back: the session's object has the timer.
import type { Reply } from "../../protocol/replies/contract.ts";
import { MCP_STREAM_RETRY_MS } from "../../protocol/agent-mcp/limits.ts";
import { pause } from "../../runtime/pause.ts";
import { tenantOf } from "../principal.ts";
import { sessionStub } from "../objects/session-stub.ts";
import type { FollowedReply, ServedCall } from "./served-call.ts";
import { hasVerb } from "./require-verb.ts";

/**
 * The call follows the reply, in either era: one that was left continues.
 * @param owns Whether the call has made it continue.
 * @returns whether the reply ends when the call's client leaves.
 */
export async function keepReply(
  { context, followerId: id }: Pick<ServedCall, "context" | "followerId">,
  { session_id, id: reply_id }: Pick<Reply, "session_id" | "id">,
  owns: boolean,
): Promise<boolean> {
  const stub = sessionStub(context.env, tenantOf(context), session_id);
  const kept = await stub.act("keepReply", { reply_id, call: { id, owns } });
  return kept.ok ? kept.value : owns;
}

/** Tries to tell the object: the platform lets a request without a client work for half a minute. */
const TRIES = 3;
const NEVER = new AbortController().signal;

/**
 * The call's stream is broken. A credential that may not interrupt cancels nothing by leaving either. Contract: never
 * rejects; what cannot be told cancels nothing.
 */
export async function leaveReply(
  { context, era, followerId: id }: ServedCall,
  { session_id, reply_id, owns }: FollowedReply,
): Promise<void> {
  if (era.era !== "self_described" || !hasVerb(context, "interrupt")) return;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      // Another one each time: a stub of a lost machine stays broken.
      const stub = sessionStub(context.env, tenantOf(context), session_id);
      await stub.act("leaveReply", { reply_id, call: { id, owns } });
      return;
    } catch (error) {
      console.warn("MCP: a session was not told that a client has left", { error: String(error) });
      await pause(MCP_STREAM_RETRY_MS * tries, NEVER);
    }
  }
}
