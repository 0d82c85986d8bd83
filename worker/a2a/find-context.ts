// Contexts of A2A: sessions of the agent, and of the caller. A client may name one in its own words.
import type { Idempotency } from "../../durable-objects/api/session-api.ts";
import { formatId, ID_RANDOM_BYTES, isId, TIMELESS_ID_MS } from "../../protocol/ids.ts";
import { LISTING_CHECK_MS } from "../../protocol/operator/limits.ts";
import { IDEMPOTENCY_KEPT_MS } from "../../protocol/requests/limits.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import { deriveKey } from "../../storage/secrets/derive-key.ts";
import { threadKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { unwrap } from "../http-error.ts";
import { newId } from "../new-id.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { tenantOf } from "../principal.ts";
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
 * @param first Names the message where it may begin a context: sent again within a day, it finds the one that it has begun.
 */
export async function findContext(
  call: A2aCall,
  contextId: string | undefined,
  first?: Pick<Idempotency, "key" | "fingerprint">,
): Promise<TaskContext | null> {
  const principal = call.context.get("principal");
  const own = principal.kind === "client_token" ? principal.sessionId : undefined;
  const fresh = {
    end_user_id: principal.kind === "end_user" ? principal.endUserId : null,
    is_open: false,
  };
  const named = contextId ?? own;
  if (named === undefined) {
    const begun = first && (await begunBy(call, first));
    const session_id = begun?.session_id ?? newId("ses");
    return { session_id, context_id: session_id, ...fresh, is_open: begun?.is_open ?? false };
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
  if (isNamed && own === undefined && !(await isListed(call, session))) {
    return { session_id, context_id: named, ...fresh };
  }
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

/**
 * The session of a name: an HMAC of it with a secret of the platform, so that no look-up is needed, no client can guess it,
 * and concurrent first messages find one session. Names of two end users are two contexts.
 */
function sessionOf(call: A2aCall, name: string): Promise<string> {
  const principal = call.context.get("principal");
  const endUserId = principal.kind === "end_user" ? principal.endUserId : null;
  return derivedId(call, "reprise:a2a-context", [endUserId, name]);
}

/**
 * The session of a first message, without a look-up as {@link sessionOf}: by its sender, its id, what it says and the day. The
 * day before counts while the message is known there.
 */
async function begunBy(
  call: A2aCall,
  { key, fingerprint }: Pick<Idempotency, "key" | "fingerprint">,
): Promise<{ readonly session_id: string; readonly is_open: boolean }> {
  const nowMs = Date.now();
  const day = Math.floor(nowMs / IDEMPOTENCY_KEPT_MS);
  const of = (one: number) => derivedId(call, "reprise:a2a-message", [key, fingerprint, one]);
  const [session_id, earlier] = await Promise.all([of(day), of(day - 1)]);
  const open = await Promise.all([session_id, earlier].map((id) => readOpen(call, id)));
  const known = open.find((one) => one && Date.parse(one.created_at) > nowMs - IDEMPOTENCY_KEPT_MS);
  if (!known) return { session_id, is_open: false };
  // One that was given to another end user meanwhile is not found, as any of theirs.
  return isOfCaller(call, known)
    ? { session_id: known.id, is_open: await isListed(call, known) }
    : { session_id: newId("ses"), is_open: false };
}

/**
 * A request that opens a session may die before D1 has its row. Without one the session is erased soon, with what was begun in it
 * meanwhile: it counts as still to be opened, which lists it.
 */
async function isListed({ context }: A2aCall, { id, created_at }: Session): Promise<boolean> {
  if (Date.parse(created_at) < Date.now() - UNLISTED_MS) return true;
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  return (await sessions.findAgentId(id)) !== null;
}

/** A session asks for its row after {@link LISTING_CHECK_MS}; while D1 fails, again after as long as it is old. */
const UNLISTED_MS = 5 * LISTING_CHECK_MS;

async function readOpen({ context }: A2aCall, sessionId: string): Promise<Session | null> {
  const found = await sessionStub(context.env, tenantOf(context), sessionId).act("read");
  return !found.ok && found.refusal.code === "not_found" ? null : unwrap(found);
}

async function derivedId(
  { context, agent }: A2aCall,
  purpose: `reprise:${string}`,
  names: readonly unknown[],
): Promise<string> {
  const key = await deriveKey(threadKeyOf(context.env), purpose);
  const text = JSON.stringify([tenantOf(context), agent.id, ...names]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return formatId("ses", TIMELESS_ID_MS, new Uint8Array(signature, 0, ID_RANDOM_BYTES));
}
