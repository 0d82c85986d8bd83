// An agent of another system tells that its task for a call of ours has changed. What it says is not read: its address and
// secret say which call it is, and that the agent was given them by us.
import { A2A_NOTIFICATION_TOKEN_HEADER } from "../../protocol/a2a/headers.ts";
import { openRemotePush } from "../../storage/a2a/remote-push-address.ts";
import type { RouteHandler } from "../app-env.ts";
import { admitTenant } from "../auth/admit-tenant.ts";
import { notFound, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { limitApp, limitUnauthenticated } from "../requests/rate-limit.ts";

/** Characters of a secret at most: of a longer one nothing is computed. */
const MAX_SECRET_CHARACTERS = 100;

/** @throws HttpError 404 for an address that is made up, has expired or lacks its secret, before any object is asked. */
export const receiveRemotePush: RouteHandler = async (context) => {
  const { env, req } = context;
  const [, bearer] = /^Bearer +(\S+)$/i.exec(req.header("Authorization") ?? "") ?? [];
  const secrets = [req.header(A2A_NOTIFICATION_TOKEN_HEADER), bearer].flatMap((secret) =>
    secret !== undefined && secret.length <= MAX_SECRET_CHARACTERS ? [secret] : [],
  );
  const token = pathId(context, "remote_push_token");
  const claims = await openRemotePush(env, token, secrets, Date.now());
  if (!claims) {
    await limitUnauthenticated(context);
    throw unknownAddress();
  }
  const { tenant_id, session_id, push_id } = claims;
  const admission = await admitTenant(env, tenant_id);
  const handedOut = { kind: "push address", id: `${tenant_id} ${push_id}` } as const;
  await limitApp(context, tenant_id, handedOut, admission?.quotas.requests);
  const taken = await sessionStub(env, tenant_id, session_id).act("takeRemotePush", { push_id });
  if (!taken.ok && taken.refusal.code === "not_found") throw unknownAddress();
  unwrap(taken);
  return context.body(null, 204);
};

function unknownAddress() {
  return notFound("address");
}
