// An agent of another system tells that its task for a call of ours has changed. What it says is not read: its address and
// secret say which call it is, and that the agent was given them by us.
import { A2A_NOTIFICATION_TOKEN_HEADER } from "../../protocol/a2a/headers.ts";
import { MAX_REMOTE_PUSH_SECRET_CHARACTERS } from "../../protocol/a2a/client-limits.ts";
import { openRemotePush } from "../../storage/a2a/remote-push-address.ts";
import type { RouteHandler } from "../app-env.ts";
import { admitTenant } from "../auth/admit-tenant.ts";
import { HttpError, notFound } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { limitCredential, limitUnauthenticated } from "../requests/rate-limit.ts";

/** @throws HttpError 404 for an address that is made up, has expired or lacks its secret, before any object is asked. */
export const receiveRemotePush: RouteHandler = async (context) => {
  const { env, req } = context;
  const [, bearer] = /^Bearer +(\S+)$/i.exec(req.header("Authorization") ?? "") ?? [];
  const secrets = [req.header(A2A_NOTIFICATION_TOKEN_HEADER), bearer].flatMap((secret) =>
    secret !== undefined && secret.length <= MAX_REMOTE_PUSH_SECRET_CHARACTERS ? [secret] : [],
  );
  const token = pathId(context, "remote_push_token");
  const claims = await openRemotePush(env, token, secrets, Date.now());
  if (!claims) {
    await limitUnauthenticated(context);
    throw unknownAddress();
  }
  const { tenant_id, session_id, push_id } = claims;
  // Not against what the tenant's apps have together: an agent that floods blocks nobody else.
  await limitCredential(context, { kind: "push address", id: `${tenant_id} ${push_id}` });
  await admit(env, tenant_id);
  const taken = await sessionStub(env, tenant_id, session_id).act("takeRemotePush", { push_id });
  if (!taken.ok) throw unknownAddress();
  return context.body(null, 204);
};

/** @throws HttpError 403 for a suspended tenant; a closed one has no addresses any more. */
async function admit(env: Env, tenantId: string): Promise<void> {
  try {
    await admitTenant(env, tenantId);
  } catch (error) {
    const isClosed = error instanceof HttpError && error.refusal.code === "unauthenticated";
    throw isClosed ? unknownAddress() : error;
  }
}

function unknownAddress(): HttpError {
  return notFound("address");
}
