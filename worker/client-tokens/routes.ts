import type { ClientToken, Verb } from "../../protocol/client-tokens/contract.ts";
import { ClientTokenCreateSchema, scopesOfVerb } from "../../protocol/client-tokens/contract.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import { signToken } from "../../storage/secrets/signed-token.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId } from "../new-id.ts";
import { cutIdOf, keyEndMs, scopesOf, tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";

const MILLISECONDS_PER_SECOND = 1_000;

/** Registered in the session first: a token that the session does not know is refused. */
const createClientToken: RouteHandler = async (context) => {
  const wanted = await readBody(context, ClientTokenCreateSchema);
  const verbs = [...new Set(wanted.verbs)];
  checkScopes(context, wanted.verbs);
  const principal = context.get("principal");
  const nowMs = Date.now();
  const wantedMs = nowMs + wanted.ttl_seconds * MILLISECONDS_PER_SECOND;
  const expiresMs = Math.min(wantedMs, keyEndMs(principal));
  const shown = {
    id: newId("tok"),
    session_id: pathId(context, "session_id"),
    verbs,
    allowed_origins: wanted.allowed_origins ?? null,
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(expiresMs).toISOString(),
    key_id: principal.kind === "tenant" ? cutIdOf(principal) : null,
  };
  const remembered = await actOnSession(context, "addToken", shown);
  // The token itself is returned only once.
  if (context.get("isReplayed")) {
    // Tokens stored by an older version have no key.
    return context.json({ ...remembered, key_id: remembered.key_id ?? null }, 201);
  }
  const token = await signToken(
    "client_token",
    {
      token_id: shown.id,
      tenant_id: tenantOf(context),
      session_id: shown.session_id,
      verbs,
      allowed_origins: shown.allowed_origins,
      ...(shown.key_id !== null && { key_id: shown.key_id }),
      exp: expiresMs,
    },
    context.env.KEY_PEPPER,
  );
  const created: ClientToken = { ...shown, token };
  return context.json(created, 201);
};

/** @throws HttpError `insufficient_scope` with each verb whose scope the key lacks. */
function checkScopes(context: AppContext, verbs: readonly Verb[]): void {
  const held = scopesOf(context.get("principal"));
  const errors = verbs.flatMap((verb, index) => {
    const lacking = scopesOfVerb(verb).filter((scope) => !held.includes(scope));
    if (lacking.length === 0) return [];
    const detail = `the API key lacks ${lacking.join(" and ")}`;
    return [{ pointer: `#/verbs/${index}`, detail }];
  });
  if (errors.length === 0) return;
  throw new HttpError("insufficient_scope", "a token gets no verb whose scope its maker lacks", {
    errors,
  });
}

const listClientTokens: RouteHandler = async (context) =>
  context.json(await actOnSession(context, "listTokens", readQuery(context, PageQuerySchema)));

/** Ends the token's open streams. Idempotent. */
const revokeClientToken: RouteHandler = async (context) => {
  await actOnSession(context, "revokeToken", pathId(context, "token_id"));
  return context.body(null, 204);
};

export const clientTokenRoutes = { createClientToken, listClientTokens, revokeClientToken };
