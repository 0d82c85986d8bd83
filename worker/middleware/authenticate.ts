import { waitUntil } from "cloudflare:workers";
import type { MiddlewareHandler } from "hono";

import type { Scope } from "../../protocol/keys/contract.ts";
import { OPERATOR_RIGHTS, type OperatorRight } from "../../protocol/members/operator-roles.ts";
import { isApiKey } from "../../protocol/keys/api-key-format.ts";
import { A2A_CALL_RIGHTS } from "../../protocol/requests/a2a-call-rights.ts";
import { INPUT_EVENT_RIGHTS } from "../../protocol/events/contract.ts";
import type { Route } from "../../protocol/routes.ts";
import { MAX_BEARER_CHARACTERS, LAST_USED_INTERVAL_MS } from "../../protocol/keys/limits.ts";
import type { KeyRecord } from "../../storage/keys/key-record.ts";
import { operatorStorage } from "../../storage/operator/operator-storage.ts";
import { admitTenant, refuseStopped } from "../auth/admit-tenant.ts";
import { operatorKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import type { AppContext, AppEnv } from "../app-env.ts";
import { secretGaps } from "../configuration/configuration-gaps.ts";
import { notConfigured } from "../configuration/not-configured.ts";
import { bearerToken } from "../auth/bearer-token.ts";
import { findApiKey } from "../auth/find-api-key.ts";
import { CONSOLE_TOKEN_START, findConsoleToken } from "../console/find-console-token.ts";
import { HttpError } from "../http-error.ts";
import { findEndUser, isJwt } from "../token-issuers/find-end-user.ts";
import { hashApiKey } from "../auth/key-secrets.ts";
import { knownKeys } from "../auth/known-keys.ts";
import { nowTimestamp } from "../new-id.ts";
import { findOperatorKeyId } from "../auth/find-operator-key-id.ts";
import type { Principal } from "../principal.ts";
import { scopesOf } from "../principal.ts";
import { CLIENT_TOKEN_START, findClientToken } from "../client-tokens/client-token.ts";
import { findRoomToken, ROOM_TOKEN_START } from "../rooms/find-room-token.ts";
import { limitUnauthenticated, limitTenant } from "../requests/rate-limit.ts";
import { findTicket } from "./find-ticket.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";

const API_KEY_START = "rk_";
/** Scopes of which a key needs one, where the handler decides which. */
const SCOPES_OF_ACCESS = {
  input_event: Object.values(INPUT_EVENT_RIGHTS).map(({ scope }) => scope),
  a2a_call: A2A_CALL_RIGHTS.map(({ scope }) => scope),
} as const;

/** Authenticates the request and checks access to the route, before the handler runs. */
export const authenticate: MiddlewareHandler<AppEnv> = async (context, next) => {
  const route = context.get("route");
  if (route.access === "public") {
    context.set("principal", { kind: "public" });
    return next();
  }
  const ticketHolder = await findTicket(context);
  if (ticketHolder) {
    context.set("principal", ticketHolder);
    return next();
  }
  const token = bearerToken(context.req.header("Authorization"));
  if (token === undefined) {
    await limitUnauthenticated(context);
    if (route.may_be_public && context.req.header("Authorization") === undefined) {
      context.set("principal", { kind: "public" });
      return next();
    }
    throw unauthenticated("send the header `Authorization: Bearer <API key>`");
  }
  if (token.length > MAX_BEARER_CHARACTERS) {
    await limitUnauthenticated(context);
    throw unauthenticated(`a credential has ${MAX_BEARER_CHARACTERS} characters at most`);
  }
  if (token.startsWith(CLIENT_TOKEN_START)) {
    context.set("principal", await findClientToken(context, token));
    return next();
  }
  if (token.startsWith(ROOM_TOKEN_START)) {
    context.set("principal", await findRoomToken(context, token));
    return next();
  }
  if (token.startsWith(CONSOLE_TOKEN_START)) {
    const signedIn = await findConsoleToken(context, token);
    authorize(signedIn, route);
    context.set("principal", signedIn);
    return next();
  }
  if (route.takes_issued_tokens && isJwt(token)) {
    context.set("principal", await findEndUser(context, token));
    return next();
  }
  if (!token.startsWith(API_KEY_START)) {
    const keyId = await findOperatorKeyId(token, operatorKeyOf(context.env));
    if (keyId === null) {
      await limitUnauthenticated(context);
      // Without it every operator's key would look wrong.
      if (!context.env.OPERATOR_KEY) throw notConfigured(secretGaps(context.env));
      throw unauthenticated("the credential is no API key of this platform");
    }
    const bearer = { kind: "operator_key", id: keyId } as const;
    const operator = { kind: "operator", bearer, rights: OPERATOR_RIGHTS } as const;
    authorize(operator, route);
    context.set("principal", operator);
    return next();
  }
  const key = await findKey(context, token);
  await limitTenant(context, key.tenant_id, key.requests);
  refuseStopped(key.tenant_status);
  const principal = {
    kind: "tenant",
    tenantId: key.tenant_id,
    bearer: { kind: "api_key", id: key.id },
    scopes: key.scopes,
    expiresAt: key.expires_at,
  } as const;
  authorize(principal, route);
  context.set("principal", principal);
  await next();
  // The write is not awaited, so that the response does not wait for it.
  if (knownKeys.isUseDue(key)) waitUntil(noteUse(key.id, context.env.DB));
};

async function findKey(context: AppContext, token: string): Promise<KeyRecord> {
  const { env } = context;
  if (!isApiKey(token)) {
    await limitUnauthenticated(context);
    throw unauthenticated("the API key is mistyped or cut off: its checksum does not fit");
  }
  const hash = await hashApiKey(token, env.KEY_PEPPER);
  // Before the query to D1: keys with a valid checksum are easy to generate.
  if (!knownKeys.isKnown(hash)) await limitUnauthenticated(context);
  const key = await knownKeys.find(
    hash,
    async () => findApiKey(env, token),
    async ({ tenant_id }) => void (await admitTenant(env, tenant_id)),
  );
  // The same text for unknown, revoked and expired keys, so that it reveals nothing about an old key.
  if (!key || (key.expires_at !== null && key.expires_at <= nowTimestamp())) {
    throw unauthenticated("the API key is unknown, revoked or expired");
  }
  return key;
}

/** Contract: never rejects. After a failed write a later use is recorded. */
async function noteUse(keyId: string, database: D1Database): Promise<void> {
  const usedAt = nowTimestamp();
  const unlessAfter = new Date(Date.parse(usedAt) - LAST_USED_INTERVAL_MS).toISOString();
  try {
    await operatorStorage(database).noteKeyUse(keyId, usedAt, unlessAfter);
  } catch (error) {
    console.warn("API key: failed to record the last use", {
      key_id: keyId,
      error: String(error),
    });
  }
}

function authorizeOperator(
  rights: readonly OperatorRight[],
  { operator_right: required_right }: Route,
): void {
  if (required_right === undefined) {
    throw new HttpError(
      "insufficient_scope",
      "this route takes a tenant's API key, not the operator's",
    );
  }
  if (rights.includes(required_right)) return;
  const detail = `your role lacks the right ${required_right}; an owner of the operator's console can give you another role`;
  throw new HttpError("insufficient_scope", detail, { extensions: { required_right } });
}

function authorize(principal: Principal, route: Route): void {
  if (route.access === "public") return;
  if (principal.kind === "operator") return authorizeOperator(principal.rights, route);
  if (route.access === "operator") {
    throw new HttpError("insufficient_scope", "this route takes the operator's key");
  }
  // The handler checks the one that is needed; a key without any of them is refused before its body is read.
  const { access } = route;
  const wanted: readonly Scope[] =
    access === "input_event" || access === "a2a_call" ? SCOPES_OF_ACCESS[access] : [access];
  if (wanted.some((scope) => scopesOf(principal).includes(scope))) return;
  throw new HttpError("insufficient_scope", `the API key lacks the scope ${wanted.join(" or ")}`, {
    extensions: { required_scope: wanted[0] },
  });
}
