import type { WriteAudit } from "../../storage/audit/audit-storage.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import type { NewSession } from "../../storage/sessions/session-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { inBackground } from "../in-background.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { shareOf, tenantOf } from "../principal.ts";
import type { SessionStub } from "../objects/session-stub.ts";

/** Erases the object of a session refused by a quota; after any other failure it is unknown whether D1 has the row. */
async function giveUp(
  stub: SessionStub,
  { created_at }: NewSession,
  error: unknown,
): Promise<never> {
  if (exceededQuota(error)) await stub.remove(created_at);
  throw error;
}

/**
 * The last step of a session's creation: writes its row. The object then publishes `session.created`. When D1 fails, it
 * is unknown whether the row exists: the object checks later, and is erased if it does not.
 * @throws HttpError when the tenant is closed but its key was still cached as valid; also errors of D1.
 */
export async function listSession(
  context: AppContext,
  stub: SessionStub,
  session: NewSession,
  ...audits: readonly (WriteAudit | undefined)[]
): Promise<void> {
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  const { id: session_id } = session;
  const location = `/v1/sessions/${session_id}`;
  const keep = answerStatement(context, { status: 201, location, session_id });
  const { isNew, hasEndpoints } = await sessions
    .insert(session, { keep, share: shareOf(context.get("principal")) }, ...audits)
    .catch((error: unknown) => giveUp(stub, session, error));
  // One of the concurrent requests for a named thread creates the session; the others find it.
  if (isNew || (await sessions.findAgentId(session_id)) !== null) {
    inBackground("session creation: publish session.created", stub.listed(hasEndpoints));
    return;
  }
  await stub.remove();
  throw unauthenticated("the key is not valid any more");
}
