// Opens the session of a new context, for a task that its tenant's quotas let begin, and takes it back where none has begun.
import { ERRORS } from "../../protocol/errors.ts";
import { LEASE_WAIT_MS } from "../../protocol/quotas/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { holderOf } from "../../storage/quotas/holder-of.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { requireScope } from "../auth/require-scope.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { nowTimestamp } from "../new-id.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { tenantStub } from "../objects/tenant-stub.ts";
import { shareOf, tenantOf } from "../principal.ts";
import { createSession } from "../sessions/create-session.ts";
import type { A2aCall } from "./a2a-call.ts";
import type { TaskContext } from "./find-context.ts";

/**
 * Nothing is opened for a reply that a quota refuses.
 * @param begin Begins the task. Where it is refused, the session goes again.
 * @throws HttpError 403 for a key that may not, 409 while the context is being erased, 429 for a quota, and what `begin` throws.
 */
export async function inNewContext<Value>(
  call: A2aCall,
  found: TaskContext,
  begin: () => Promise<Value>,
): Promise<Value> {
  const { context, agent } = call;
  const { session_id } = found;
  const principal = context.get("principal");
  if (principal.kind === "tenant") requireScope(context, "sessions:write", "a new context");
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  if (await sessions.findRemoval(session_id)) {
    const detail = "the context's session is being erased; use another name, or another messageId";
    throw new HttpError("conflict", detail);
  }
  await admit(call, found);
  const end_user = principal.kind === "end_user" && { end_user_id: principal.endUserId };
  try {
    await createSession(context, agent, { session_id, ...end_user });
    return await begin();
  } catch (error) {
    if (isRefusal(error)) inBackground("A2A: a context without a task", drop(call, found));
    throw error;
  }
}

/** True where nothing was begun. Of a conflict another request may be the reason, which begins the task just now. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof HttpError)) return false;
  const { status } = ERRORS[error.refusal.code];
  return status < 500 && status !== 409;
}

/**
 * The lease of the reply that is about to begin, which its session has then. A tenant's object that cannot be asked refuses
 * nothing here: the session decides.
 */
async function admit(
  { context }: A2aCall,
  { session_id, end_user_id }: TaskContext,
): Promise<void> {
  const share = shareOf(context.get("principal"));
  const holder = holderOf({ session_id, end_user_id });
  const tenant = tenantStub(context.env, tenantOf(context));
  const asked = tenant.lease({ session_id, use: "start", holder, ...(share && { share }) });
  const leased = await withinDeadline(asked, LEASE_WAIT_MS).catch(() => null);
  if (leased) unwrap(leased);
}

/** One in which another request has begun a reply meanwhile stays: the object decides, with nothing between look and end. */
async function drop({ context }: A2aCall, { session_id }: TaskContext): Promise<void> {
  const tenantId = tenantOf(context);
  const stub = sessionStub(context.env, tenantId, session_id);
  const begun = await stub.act("listReplies", { limit: 1 });
  if (begun.ok && begun.value.data.length > 0) return;
  if (begun.ok) {
    const { sessions } = tenantStorage(context.env.DB, tenantId);
    const deletedAt = nowTimestamp();
    const hidden = await sessions.beginRemoval(session_id, deletedAt);
    const removed = await stub.remove(hidden?.created_at, true);
    if (!removed.ok && removed.refusal.code === "conflict") {
      if (hidden) await sessions.endRemoval(session_id, deletedAt);
      return;
    }
    if (hidden) await sessions.remove(session_id, hidden.created_at);
  }
  await tenantStub(context.env, tenantId).settle({ session_id, replies: [], is_running: false });
}
