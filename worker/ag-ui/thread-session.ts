// Finds the session of a thread of AG-UI.
import type { SessionInit } from "../../durable-objects/api/session-api.ts";
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

/**
 * The id of the fork that a run of a thread begins. It follows from the run, so that concurrent requests and repeated ones
 * find one fork.
 */
export function forkIdOf(
  context: AppContext,
  { session_id, created_at }: Pick<SessionInit, "session_id" | "created_at">,
  runId: string,
): Promise<string> {
  // A named thread that was erased may have been opened anew, under the same id.
  return derivedId(context, [tenantOf(context), "fork", session_id, created_at, runId]);
}

function sessionOf(context: AppContext, agentId: string, name: string): Promise<string> {
  return derivedId(context, [tenantOf(context), agentId, name]);
}

/** @param parts Written as JSON, so that different lists have different texts. */
async function derivedId({ env }: AppContext, parts: readonly string[]): Promise<string> {
  const key = await deriveKey(threadKeyOf(env), "reprise:ag-ui-thread");
  const text = new TextEncoder().encode(JSON.stringify(parts));
  const signature = await crypto.subtle.sign("HMAC", key, text);
  return formatId("ses", TIMELESS_ID_MS, new Uint8Array(signature, 0, ID_RANDOM_BYTES));
}
