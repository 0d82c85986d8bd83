// Finds the session of a thread of AG-UI.
import { formatId, ID_RANDOM_BYTES, isId, TIMELESS_ID_MS } from "../../protocol/ids.ts";
import { deriveKey } from "../../storage/secrets/derive-key.ts";
import { threadKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, notFound } from "../http-error.ts";
import { tenantOf } from "../principal.ts";

export interface ThreadSession {
  readonly session_id: string;
  /** The client made the name up: there need not be a session yet. */
  readonly is_named: boolean;
}

/**
 * A session's own id is taken as it is. Any other text names a session of this tenant and agent, always the same one: its
 * id is derived from the name with a secret of the platform, so nothing has to be looked up, no client can guess it, and
 * two first requests find one session.
 * @param pointer The place of the thread's id in the request.
 * @throws HttpError 404 for what looks like a session's id and is none, and for a client token's other sessions.
 */
export async function findThreadSession(
  context: AppContext,
  agentId: string,
  threadId: string,
  pointer: string,
): Promise<ThreadSession> {
  // Half a character has no form of its own in UTF-8: two such names would be one.
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
  // As JSON, so that no two lists of parts are written alike.
  const parts = new TextEncoder().encode(JSON.stringify([tenantOf(context), agentId, name]));
  const signature = await crypto.subtle.sign("HMAC", key, parts);
  return formatId("ses", TIMELESS_ID_MS, new Uint8Array(signature, 0, ID_RANDOM_BYTES));
}
