// Finds the session of a thread of AG-UI.
import { formatId, ID_RANDOM_BYTES, isId, TIMELESS_ID_MS } from "../../protocol/ids.ts";
import { deriveKey } from "../../storage/secrets/derive-key.ts";
import { threadKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, notFound } from "../http-error.ts";
import { tenantOf } from "../principal.ts";

export interface ThreadSession {
  readonly session_id: string;
  /** Whether the client chose the name: the session may not exist yet. */
  readonly is_named: boolean;
}

/**
 * A session id is used as it is. Any other text is the name of a thread of this tenant and agent; its session's id is
 * an HMAC of the name with a secret of the platform, so that no look-up is needed, no client can guess it, and
 * concurrent first requests find one session.
 * @param pointer JSON Pointer to the thread's id in the request.
 * @throws HttpError 404 for an invalid session id, and for a session other than the client token's.
 */
export async function findThreadSession(
  context: AppContext,
  agentId: string,
  threadId: string,
  pointer: string,
): Promise<ThreadSession> {
  // A lone surrogate has no UTF-8 encoding: different names would have the same bytes.
  if (/\p{Surrogate}/u.test(threadId)) {
    throw fieldError("validation_failed", pointer, "the text is not valid Unicode");
  }
  const is_named = !threadId.startsWith("ses_");
  if (!is_named && !isId("ses", threadId)) throw notFound("session");
  const session_id = is_named ? await sessionOf(context, agentId, threadId) : threadId;
  const principal = context.get("principal");
  if (principal.kind === "client_token" && principal.sessionId !== session_id) {
    throw notFound("session");
  }
  return { session_id, is_named };
}

async function sessionOf(context: AppContext, agentId: string, name: string): Promise<string> {
  const key = await deriveKey(threadKeyOf(context.env), "reprise:ag-ui-thread");
  // As JSON, so that different lists of parts have different texts.
  const parts = new TextEncoder().encode(JSON.stringify([tenantOf(context), agentId, name]));
  const signature = await crypto.subtle.sign("HMAC", key, parts);
  return formatId("ses", TIMELESS_ID_MS, new Uint8Array(signature, 0, ID_RANDOM_BYTES));
}
