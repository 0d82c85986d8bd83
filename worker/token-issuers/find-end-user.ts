import type { TokenIssuer } from "../../protocol/token-issuers/contract.ts";
import type { AppContext } from "../app-env.ts";
import { admitTenant } from "../auth/admit-tenant.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { HttpError } from "../http-error.ts";
import type { Principal } from "../principal.ts";
import { limitApp, limitUnauthenticated } from "../requests/rate-limit.ts";
import { KeySets, KeySetUnavailable } from "./key-sets.ts";
import { findIssuers, isKnownAgent } from "./known-issuers.ts";
import { mcpAddress } from "./mcp-address.ts";
import { readKeySet } from "./read-key-set.ts";
import { verifyIssuedToken, type VerifiedToken } from "./verify-issued-token.ts";

/** Three parts in base64url, the first of which begins a JSON object. */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

let keySets: KeySets | undefined;

export function isJwt(token: string): boolean {
  return JWT.test(token);
}

/**
 * The end user of a JWT, for the agent in the path. What does not verify, and what needs a query of D1 first, counts
 * against its address.
 * @throws HttpError 401 for a token that is not accepted, 503 while the issuer's keys cannot be had.
 */
export async function findEndUser(context: AppContext, token: string): Promise<Principal> {
  const agentId = context.req.param("agent_id") ?? "";
  // Before the query to D1: agents' ids and tokens are easy to make up.
  if (!isKnownAgent(agentId)) await limitUnauthenticated(context);
  const found = await findIssuers(context.env.DB, agentId);
  if (!found) {
    await limitUnauthenticated(context);
    throw unauthenticated("no issuer of tokens is registered for this agent");
  }
  const verified = await verify(context, token, agentId, found.issuers);
  if (!verified.ok) {
    await limitUnauthenticated(context);
    throw unauthenticated(verified.detail);
  }
  const { issuer, endUserId, expiresAtMs } = verified.token;
  const admission = await admitTenant(context.env, found.tenant_id, issuer.created_by);
  const sender = { kind: "end user", id: `${issuer.id} ${endUserId}` } as const;
  await limitApp(context, found.tenant_id, sender, admission?.quotas.requests);
  return {
    kind: "end_user",
    tenantId: found.tenant_id,
    issuerId: issuer.id,
    endUserId,
    agentId,
    verbs: ["read", ...issuer.verbs],
    allowedOrigins: issuer.allowed_origins,
    expiresAt: new Date(expiresAtMs).toISOString(),
    share: issuer.end_user_share ?? {},
  };
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
