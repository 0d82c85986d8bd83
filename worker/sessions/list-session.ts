import type { WriteAudit } from "../../storage/statements/audit-storage.ts";
import { exceededQuota } from "../../storage/statements/exceeded-quota.ts";
import type { NewSession } from "../../storage/sessions/session-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { inBackground } from "../in-background.ts";
import { answerStatement } from "../request/keep-answer.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { tenantOf } from "../principal.ts";
import type { SessionStub } from "./session-stub.ts";

/** Erases the object of a session that a quota refused; after any other failure it is unknown whether D1 has the row. */
async function giveUp(
  stub: SessionStub,
  { created_at }: NewSession,
  error: unknown,
): Promise<never> {
  if (exceededQuota(error)) await stub.remove(created_at);
  throw error;
}

/**
 * The last step of a session's creation: its row. The object then tells the tenant's endpoints. When D1 fails, it is
 * unknown whether the row is there: the object checks by itself later, and is erased when it is not.
 * @throws HttpError when the tenant was deleted while its key was still believed; what D1 throws.
 */
export async function listSession(
  context: AppContext,
  stub: SessionStub,
  session: NewSession,
  audit?: WriteAudit,
): Promise<void> {
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  const { id: session_id } = session;
  const location = `/v1/sessions/${session_id}`;
  const keep = answerStatement(context, { status: 201, location, session_id });
  const isListed =
    (await sessions
      .insert(session, keep, audit)
      .catch((error: unknown) => giveUp(stub, session, error))) ||
    // Of concurrent requests for a named thread one creates the session; the others find it.
    (await sessions.findAgentId(session_id)) !== null;
  if (isListed) {
    inBackground("telling of session.created", stub.listed());
    return;
  }
  await stub.remove();
  throw unauthenticated("the key is not valid any more");
}
