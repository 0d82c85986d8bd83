// Authenticates access tokens of the console: signed, valid for minutes, and only while their session is.
import type { ConsoleSessionRecord } from "../../storage/console/console-storage.ts";
import { consoleStorage } from "../../storage/console/console-storage.ts";
import type { KeyRecord } from "../../storage/keys/key-record.ts";
import { DEFAULT_QUOTAS } from "../../protocol/quotas/contract.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { openToken, type ConsoleTokenClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext } from "../app-env.ts";
import { admitTenant, refuseStopped } from "../auth/admit-tenant.ts";
import { knownKeys } from "../auth/known-keys.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { HttpError } from "../http-error.ts";
import { nowTimestamp } from "../new-id.ts";
import type { Principal } from "../principal.ts";
import { limitTenant, limitUnauthenticated } from "../requests/rate-limit.ts";
import { principalOf, sessionScopes } from "./console-session.ts";
import { checkConsoleSession, consoleRefusal } from "./check-console-session.ts";

export const CONSOLE_TOKEN_START = "ct_";

/**
 * A tenant's session is cached like an API key: signing out, or revoking its key, takes effect at once in this isolate
 * and within half a minute in others. The operator's is read each time.
 * @throws HttpError 401 when the token is forged or expired, or its session has ended; 403 for a suspended tenant.
 */
export async function findConsoleToken(context: AppContext, token: string): Promise<Principal> {
  const { env } = context;
  const opened = await openToken("console_token", token, keyPepperOf(env), Date.now());
  if (!opened.ok) {
    await limitUnauthenticated(context);
    throw unauthenticated(
      opened.reason === "expired"
        ? "the console's access token has expired; the page exchanges its session for a new one"
        : "the console's access token is mistyped, cut off or was changed: its signature does not fit",
    );
  }
  const { claims } = opened;
  return claims.tenant_id === null
    ? findOperator(env, claims)
    : findTenant(context, claims.tenant_id, claims);
}

async function findOperator(env: Env, claims: ConsoleTokenClaims): Promise<Principal> {
  const id = claims.console_session_id;
  const record = await consoleStorage(env.DB).readSession(id);
  if (!record) throw consoleRefusal("signed_out");
  await checkConsoleSession(env, record, nowTimestamp());
  return principalOf(record);
}

async function findTenant(
  context: AppContext,
  tenantId: string,
  { console_session_id: id, exp }: ConsoleTokenClaims,
): Promise<Principal> {
  const { env } = context;
  const key = await knownKeys.find(
    `console ${id}`,
    async () => toKeyRecord(env, await consoleStorage(env.DB).readSession(id)),
    async () => void (await admitTenant(env, tenantId)),
  );
  if (!key?.console) throw consoleRefusal("signed_out");
  await limitTenant(context, key.tenant_id, key.requests);
  refuseStopped(key.tenant_status);
  const now = nowTimestamp();
  const { member_name } = key.console;
  if (key.console.expires_at <= now) throw consoleRefusal("session_expired");
  if (key.expires_at !== null && key.expires_at <= now) throw consoleRefusal("key_revoked");
  return {
    kind: "tenant",
    tenantId: key.tenant_id,
    bearer:
      member_name === undefined
        ? { kind: "api_key", id: key.id }
        : { kind: "member", id: key.id, name: member_name },
    scopes: key.scopes,
    expiresAt: key.expires_at,
    consoleSessionId: id,
    streamsUntil: new Date(exp).toISOString(),
  };
}

/** Null for a session that has ended. The status of its tenant is checked at each use. */
async function toKeyRecord(
  env: Env,
  record: ConsoleSessionRecord | null,
): Promise<KeyRecord | null> {
  const { tenant_id = null, tenant, key, member } = record ?? {};
  const id = record?.member_id ?? record?.key_id ?? null;
  if (!record || !tenant || tenant_id === null || id === null || (!key && !member)) return null;
  try {
    await checkConsoleSession(env, record, nowTimestamp());
  } catch (error) {
    if (error instanceof HttpError && error.refusal.code === "unauthenticated") return null;
    if (!(error instanceof HttpError)) throw error;
  }
  return {
    id,
    tenant_id,
    scopes: sessionScopes(record) ?? [],
    expires_at: key?.expires_at ?? null,
    last_used_at: key?.last_used_at ?? null,
    tenant_status: tenant.status,
    requests: tenant.quotas.requests ?? DEFAULT_QUOTAS.requests,
    console: {
      session_id: record.id,
      expires_at: record.expires_at,
      ...(member && { member_name: member.name }),
    },
  };
}
