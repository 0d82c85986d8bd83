import { egressRules } from "../../outgoing/egress-rules.ts";
import { findRefusal } from "../../outgoing/outgoing.ts";
import { scopesOfVerb, VERB_SCOPES } from "../../protocol/client-tokens/contract.ts";
import {
  TokenIssuerCreateSchema,
  type TokenIssuer,
} from "../../protocol/token-issuers/contract.ts";
import { MAX_TOKEN_ISSUERS } from "../../protocol/token-issuers/limits.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { requireScope } from "../auth/require-scope.ts";
import { forgetIssuers } from "./known-issuers.ts";
import { HttpError, notFound } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { readListQuery } from "../requests/read-query.ts";

const createTokenIssuer: RouteHandler = async (context) => {
  const settings = await readBody(context, TokenIssuerCreateSchema);
  checkIssuerAddresses(context, settings);
  // An issuer's end users never have rights that the one who registers it lacks, and they read the agent's answers.
  requireScope(context, VERB_SCOPES.read, "an issuer, whose end users read their conversations,");
  for (const verb of settings.verbs) {
    for (const scope of scopesOfVerb(verb)) {
      requireScope(context, scope, `an issuer with the verb ${verb}`);
    }
  }
  await checkAgents(context, settings.agent_ids ?? []);
  const issuer: TokenIssuer = {
    id: newId("tki"),
    ...settings,
    verbs: [...new Set(settings.verbs)],
    created_at: nowTimestamp(),
    created_by: makerOf(context),
  };
  const location = `/v1/token-issuers/${issuer.id}`;
  const isAdded = await issuersOf(context).insert(
    issuer,
    answerStatement(context, { status: 201, location, body: issuer }),
    auditFor(context, { action: "token_issuer.created", target: issuer.id, after: issuer }),
  );
  forgetIssuers();
  if (!isAdded) {
    const detail = `a tenant has ${MAX_TOKEN_ISSUERS} token issuers at most; nothing was done: delete one first`;
    throw new HttpError("quota_exceeded", detail, { extensions: { quota: "token_issuers" } });
  }
  return context.json(issuer, 201, { Location: location });
};

const listTokenIssuers: RouteHandler = async (context) =>
  context.json(await issuersOf(context).list(readListQuery(context, "tki")));

const readTokenIssuer: RouteHandler = async (context) => context.json(await findIssuer(context));

const deleteTokenIssuer: RouteHandler = async (context) => {
  const before = await findIssuer(context);
  const target = before.id;
  const audit = auditFor(context, { action: "token_issuer.deleted", target, before });
  if (!(await issuersOf(context).remove(target, audit))) throw notFound("token issuer");
  forgetIssuers();
  return context.body(null, 204);
};

/** Refuses at once addresses for which each request for the keys would be refused, so that the author sees it. */
function checkIssuerAddresses(
  { env }: AppContext,
  { issuer, jwks_url }: { readonly issuer: string; readonly jwks_url: string },
): void {
  const errors = Object.entries({ issuer, jwks_url }).flatMap(([name, address]) => {
    const detail = findRefusal(address, egressRules(env));
    return detail === null ? [] : [{ pointer: `#/${name}`, detail }];
  });
  if (errors.length === 0) return;
  const detail = "the issuer has addresses that cannot be reached; `errors` says where";
  throw new HttpError("validation_failed", detail, { errors });
}

async function checkAgents(context: AppContext, agentIds: readonly string[]): Promise<void> {
  const { agents } = tenantStorage(context.env.DB, tenantOf(context));
  const found = await Promise.all(agentIds.map((id) => agents.read(id)));
  const errors = found.flatMap((agent, index) =>
    agent ? [] : [{ pointer: `#/agent_ids/${index}`, detail: "there is no such agent" }],
  );
  if (errors.length === 0) return;
  throw new HttpError("validation_failed", "the body does not fit; `errors` says where", {
    errors,
  });
}

function makerOf(context: AppContext): string {
  const principal = context.get("principal");
  if (principal.kind === "tenant") return principal.bearer.id;
  throw new HttpError("insufficient_scope", "this route takes a tenant's API key");
}

async function findIssuer(context: AppContext): Promise<TokenIssuer> {
  const issuer = await issuersOf(context).read(pathId(context, "token_issuer_id"));
  if (!issuer) throw notFound("token issuer");
  return issuer;
}

function issuersOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).tokenIssuers;
}

export const tokenIssuerRoutes = {
  createTokenIssuer,
  listTokenIssuers,
  readTokenIssuer,
  deleteTokenIssuer,
};
