// Contexts of A2A: sessions of the agent, and of the caller. A client may name one in its own words.
import { formatId, ID_RANDOM_BYTES, isId, TIMELESS_ID_MS } from "../../protocol/ids.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import { deriveKey } from "../../storage/secrets/derive-key.ts";
import { threadKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { requireScope } from "../auth/require-scope.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { newId } from "../new-id.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { tenantOf } from "../principal.ts";
import { createSession } from "../sessions/create-session.ts";
import type { A2aCall } from "./a2a-call.ts";

export interface TaskContext {
  readonly session_id: string;
  /** As the client names it. */
  readonly context_id: string;
  /** Whose session it is; null for a session without one, and for one that an agent has called. */
  readonly end_user_id: string | null;
  /** False for a session that is still to be opened. */
  readonly is_open: boolean;
}

/**
 * The context of a message; null for one that is not there, is another agent's, or is not this caller's.
 * @param contextId Undefined for a new one, or for the session of a client token.
 */
export async function findContext(
  call: A2aCall,
  contextId: string | undefined,
): Promise<TaskContext | null> {
  const principal = call.context.get("principal");
  const own = principal.kind === "client_token" ? principal.sessionId : undefined;
  const fresh = {
    end_user_id: principal.kind === "end_user" ? principal.endUserId : null,
    is_open: false,
  };
  const named = contextId ?? own;
  if (named === undefined) {
    const session_id = newId("ses");
    return { session_id, context_id: session_id, ...fresh };
  }
  const isNamed = !named.startsWith("ses_");
  if (!isNamed && !isId("ses", named)) return null;
  const session_id = isNamed ? await sessionOf(call, named) : named;
  if (own !== undefined && own !== session_id) return null;
  const found = await sessionStub(call.context.env, tenantOf(call.context), session_id).act("read");
  if (!found.ok && found.refusal.code === "not_found") {
    return isNamed && own === undefined ? { session_id, context_id: named, ...fresh } : null;
  }
  const session = unwrap(found);
  if (!isOfCaller(call, session)) return null;
  const end_user_id = isCalled(session) ? null : session.end_user_id;
  return { session_id, context_id: named, end_user_id, is_open: true };
}

/** Whether the session is this agent's and this caller's. One that another agent has called is no end user's. */
export function isOfCaller({ context, agent }: A2aCall, session: Session): boolean {
  const { agent_id, id, end_user_id } = session;
  if (agent_id !== agent.id) return false;
  const principal = context.get("principal");
  if (principal.kind === "client_token") return principal.sessionId === id;
  if (principal.kind !== "end_user") return true;
  return end_user_id === principal.endUserId && !isCalled(session);
}

/** Objects of the release before leave the parent out. */
function isCalled({ parent_session_id }: Session): boolean {
  return (parent_session_id ?? null) !== null;
}

/** Opens the session of a new context. @throws HttpError 403 for a key that may not, 409 while it is being erased. */
export async function openContext(
  { context, agent }: A2aCall,
  { session_id }: TaskContext,
): Promise<void> {
  const principal = context.get("principal");
  if (principal.kind === "tenant") requireScope(context, "sessions:write", "a new context");
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  if (await sessions.findRemoval(session_id)) {
    throw new HttpError("conflict", "the context's session is being erased; use another name");
  }
  const end_user = principal.kind === "end_user" && { end_user_id: principal.endUserId };
  await createSession(context, agent, { session_id, ...end_user });
}

/**
 * The session of a name: an HMAC of it with a secret of the platform, so that no look-up is needed, no client can guess it,
 * and concurrent first messages find one session. Names of two end users are two contexts.
 */
async function sessionOf({ context, agent }: A2aCall, name: string): Promise<string> {
  const principal = context.get("principal");
  const endUserId = principal.kind === "end_user" ? principal.endUserId : null;
  const key = await deriveKey(threadKeyOf(context.env), "reprise:a2a-context");
  const text = JSON.stringify([tenantOf(context), agent.id, endUserId, name]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return formatId("ses", TIMELESS_ID_MS, new Uint8Array(signature, 0, ID_RANDOM_BYTES));
}
