// A second look at the credential of a request that was long at work: what it is answered is for nobody whose credential has
// ended meanwhile. Asked of the sources that have let the request in, with their caches.
import type { Principal } from "../principal.ts";
import { consoleStorage } from "../../storage/console/console-storage.ts";
import type { AppContext } from "../app-env.ts";
import { checkConsoleSession } from "../console/check-console-session.ts";
import { nowTimestamp } from "../new-id.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { findIssuers } from "../token-issuers/known-issuers.ts";
import { admitTenant, refuseStopped } from "../auth/admit-tenant.ts";
import { bearerToken } from "../auth/bearer-token.ts";
import { findApiKey } from "../auth/find-api-key.ts";
import { hashApiKey } from "../auth/key-secrets.ts";
import { knownKeys } from "../auth/known-keys.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";

type Of<Kind extends Principal["kind"]> = Extract<Principal, { kind: Kind }>;

/** Not counted as a request. @throws HttpError 401 for a credential that has ended, 403 for a tenant that is suspended. */
export async function recheckCredential(context: AppContext): Promise<void> {
  const principal = context.get("principal");
  switch (principal.kind) {
    case "client_token":
      return recheckClientToken(context, principal);
    case "end_user":
      return recheckEndUser(context, principal);
    case "tenant":
      return principal.consoleSessionId === undefined
        ? recheckKey(context)
        : recheckConsole(context, principal.consoleSessionId);
    default:
  }
}

async function recheckClientToken(
  { env }: AppContext,
  { tenantId, sessionId, tokenId, claims }: Of<"client_token">,
): Promise<void> {
  await admitTenant(env, tenantId, claims.key_id);
  if (await sessionStub(env, tenantId, sessionId).admitsToken(tokenId)) return;
  throw unauthenticated("the client token was revoked");
}

/** The signature was verified: what may have changed is that its issuer is registered. */
async function recheckEndUser(
  { env }: AppContext,
  { tenantId, agentId, issuerId, expiresAt }: Of<"end_user">,
): Promise<void> {
  const issuers = (await findIssuers(env.DB, agentId))?.issuers ?? [];
  const issuer = issuers.find(({ id }) => id === issuerId);
  if (!issuer) throw unauthenticated("the token is of no issuer that is registered for its agent");
  if (expiresAt <= nowTimestamp()) throw unauthenticated("the token has expired");
  await admitTenant(env, tenantId, issuer.created_by);
}

async function recheckKey({ env, req }: AppContext): Promise<void> {
  const token = bearerToken(req.header("Authorization")) ?? "";
  const hash = await hashApiKey(token, env.KEY_PEPPER);
  const key = await knownKeys.find(
    hash,
    async () => findApiKey(env, token),
    async ({ tenant_id }) => void (await admitTenant(env, tenant_id)),
  );
  if (!key || (key.expires_at !== null && key.expires_at <= nowTimestamp())) {
    throw unauthenticated("the API key was revoked or has expired");
  }
  refuseStopped(key.tenant_status);
}

async function recheckConsole({ env }: AppContext, id: string): Promise<void> {
  const record = await consoleStorage(env.DB).readSession(id);
  if (!record) throw unauthenticated("the console session has ended");
  await checkConsoleSession(env, record, nowTimestamp());
}
