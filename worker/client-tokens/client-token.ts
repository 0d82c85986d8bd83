// Authenticates client tokens: signed, for one session and a set of verbs, revocable by the session.
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import type { ClientTokenClaims } from "../../storage/secrets/signed-token.ts";
import { openToken } from "../../storage/secrets/signed-token.ts";
import { admitTenant } from "../auth/admit-tenant.ts";
import { checkOrigin, checkVerb } from "../auth/check-token.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError, notFound } from "../http-error.ts";
import type { Principal } from "../principal.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { limitApp, limitUnauthenticated } from "../requests/rate-limit.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";

export const CLIENT_TOKEN_START = "rt_";

/**
 * Verifies the token and its right to this request. The session's object is asked last, and only for tokens with a
 * valid signature.
 * @throws HttpError 401 when it is forged, expired or revoked; 403 for another origin or a missing verb; 404 for
 *   another session.
 */
export async function findClientToken(context: AppContext, token: string): Promise<Principal> {
  const { env } = context;
  const opened = await openToken("client_token", token, keyPepperOf(env), Date.now());
  if (!opened.ok) {
    await limitUnauthenticated(context);
    throw unauthenticated(
      opened.reason === "expired"
        ? "the client token has expired; ask your server for a new one"
        : "the client token is mistyped, cut off or was changed: its signature does not fit",
    );
  }
  return admitClaims(context, opened.claims);
}

/**
 * Checks the claims of a token, or of a ticket minted with it, against this request.
 * @throws HttpError as {@link findClientToken}.
 */
export async function admitClaims(
  context: AppContext,
  claims: ClientTokenClaims,
): Promise<Principal> {
  const { env } = context;
  const admission = await admitTenant(env, claims.tenant_id, claims.key_id);
  const handedOut = { kind: "client token", id: claims.token_id } as const;
  await limitApp(context, claims.tenant_id, handedOut, admission?.quotas.requests);
  const route = context.get("route");
  if (route.verb === undefined) {
    throw new HttpError("insufficient_scope", "this route takes no client token");
  }
  checkOrigin(context, claims.allowed_origins);
  if (!route.finds_session && context.req.param("session_id") !== claims.session_id) {
    throw notFound("session");
  }
  checkVerb(route.verb, claims.verbs);
  const session = sessionStub(env, claims.tenant_id, claims.session_id);
  if (!(await session.admitsToken(claims.token_id))) {
    throw unauthenticated("the client token was revoked");
  }
  return {
    kind: "client_token",
    tenantId: claims.tenant_id,
    sessionId: claims.session_id,
    tokenId: claims.token_id,
    verbs: claims.verbs,
    claims,
  };
}
