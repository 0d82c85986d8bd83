import { isId } from "../../protocol/ids.ts";
import type { TokenIssuer } from "../../protocol/token-issuers/contract.ts";
import type { SessionOwner } from "../../storage/token-issuers/find-session-owner.ts";
import type { AppContext } from "../app-env.ts";
import { admitTenant } from "../auth/admit-tenant.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { issuerVerbMissing } from "../auth/verb-missing.ts";
import { HttpError, notFound } from "../http-error.ts";
import type { Principal } from "../principal.ts";
import { limitApp, limitUnauthenticated } from "../requests/rate-limit.ts";
import { checkOrigin } from "./check-origin.ts";
import { KeySets, KeySetUnavailable } from "./key-sets.ts";
import { findIssuers, isKnownAgent } from "./known-issuers.ts";
import { findOwner, isKnownSession } from "./known-sessions.ts";
import { mcpAddress } from "./mcp-address.ts";
import { readKeySet } from "./read-key-set.ts";
import { verifyIssuedToken, type VerifiedToken } from "./verify-issued-token.ts";

/** Three parts in base64url, the first of which begins a JSON object. */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

const NO_ISSUER = "no issuer of tokens is registered for this agent";
const NOTHING_FOUND =
  "there is no such session, or the token is of no issuer that is registered for its agent";

let keySets: KeySets | undefined;

export function isJwt(token: string): boolean {
  return JWT.test(token);
}

/**
 * The end user of a JWT, for the agent in the path, or the agent of the session in the path. What does not verify, and what
 * needs a query of D1 first, counts against its address.
 * @throws HttpError 401 for a token that is not accepted, 403 without the route's verb and for another page, 404 for a
 *   session that is not this end user's, 503 while the issuer's keys cannot be had.
 */
export async function findEndUser(context: AppContext, token: string): Promise<Principal> {
  const session = await findSession(context);
  const agentId = session ? session.agent_id : (context.req.param("agent_id") ?? "");
  // Before the query to D1: agents' ids and tokens are easy to make up.
  if (!isKnownAgent(agentId)) await limitUnauthenticated(context);
  const found = await findIssuers(context.env.DB, agentId);
  if (!found) return refuseToken(context, session ? NOTHING_FOUND : NO_ISSUER);
  const verified = await verify(context, token, agentId, found.issuers);
  if (!verified.ok) {
    // The same words for a session of others as for one that is not there.
    return refuseToken(context, session && verified.isForeign ? NOTHING_FOUND : verified.detail);
  }
  const { issuer, endUserId, expiresAtMs } = verified.token;
  const admission = await admitTenant(context.env, found.tenant_id, issuer.created_by);
  const sender = { kind: "end user", id: `${issuer.id} ${endUserId}` } as const;
  await limitApp(context, found.tenant_id, sender, admission?.quotas.requests);
  const principal = {
    kind: "end_user",
    tenantId: found.tenant_id,
    issuerId: issuer.id,
    endUserId,
    agentId,
    verbs: ["read", ...issuer.verbs],
    allowedOrigins: issuer.allowed_origins,
    expiresAt: new Date(expiresAtMs).toISOString(),
    share: issuer.end_user_share ?? {},
  } as const;
  if (session) checkSession(context, principal, session);
  return principal;
}

async function refuseToken(context: AppContext, detail: string): Promise<never> {
  await limitUnauthenticated(context);
  throw unauthenticated(detail);
}

/** Null for a route that names an agent. */
async function findSession(context: AppContext): Promise<SessionOwner | null> {
  const sessionId = context.req.param("session_id");
  if (sessionId === undefined) return null;
  if (!isKnownSession(sessionId)) await limitUnauthenticated(context);
  const owner = isId("ses", sessionId) ? await findOwner(context.env.DB, sessionId) : null;
  return owner ?? refuseToken(context, NOTHING_FOUND);
}

/** In the order of a client token's checks. One that another agent has called is not its end user's. */
function checkSession(
  context: AppContext,
  principal: Extract<Principal, { kind: "end_user" }>,
  { end_user_id, parent_session_id }: SessionOwner,
): void {
  checkOrigin(context, principal);
  if (end_user_id !== principal.endUserId || parent_session_id !== null) throw notFound("session");
  const { verb } = context.get("route");
  const isGranted = principal.verbs.some((one) => one === verb);
  if (verb !== undefined && !isGranted) throw issuerVerbMissing(verb);
}

async function verify(
  context: AppContext,
  token: string,
  agentId: string,
  issuers: readonly TokenIssuer[],
): Promise<VerifiedToken> {
  const { env } = context;
  keySets ??= new KeySets((address) => readKeySet(env, address));
  try {
    const { resource } = mcpAddress(context, agentId);
    return await verifyIssuedToken(token, issuers, resource, keySets);
  } catch (error) {
    if (!(error instanceof KeySetUnavailable)) throw error;
    throw new HttpError("unavailable", error.message);
  }
}
