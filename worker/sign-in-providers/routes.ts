// Sign-in providers of a tenant. Who signs in by one may be an owner, so who registers or deletes one has an owner's scopes.
import { egressRules } from "../../outgoing/egress-rules.ts";
import { findRefusal } from "../../outgoing/outgoing.ts";
import {
  type SignInProvider,
  SignInProviderCreateSchema,
} from "../../protocol/sign-in-providers/contract.ts";
import { MAX_SIGN_IN_PROVIDERS } from "../../protocol/sign-in-providers/limits.ts";
import type { StoredSignInProvider } from "../../storage/sign-in-providers/sign-in-provider-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { cutKeys } from "../auth/cut-keys.ts";
import { knownKeys } from "../auth/known-keys.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { requireRole } from "../members/require-role.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { makerOf, tenantOf } from "../principal.ts";
import { findCredentialProblem } from "../requests/check-credentials.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { readListQuery } from "../requests/read-query.ts";
import { discoverProvider, type OidcProvider, ProviderFailure } from "./oidc-provider.ts";
import { providerFetch, redirectUrlOf } from "./provider-client.ts";

const createSignInProvider: RouteHandler = async (context) => {
  const settings = await readBody(context, SignInProviderCreateSchema);
  requireRole(context, "owner");
  const found = await readProvider(context, settings.issuer);
  await checkCredential(context, settings.credential_id, found);
  const by = makerOf(context.get("principal"));
  const provider: StoredSignInProvider = {
    id: newId("sip"),
    ...settings,
    member_count: 0,
    created_at: nowTimestamp(),
    created_by: by,
  };
  const location = `/v1/sign-in-providers/${provider.id}`;
  const shown = show(context, provider);
  const outcome = await providersOf(context).insert(provider, {
    by,
    keep: answerStatement(context, { status: 201, location, body: shown }),
    audit: auditFor(context, {
      action: "sign_in_provider.created",
      target: provider.id,
      after: shown,
    }),
  });
  if (outcome === "maker_ended") throw rightsEnded();
  if (outcome === "full") {
    const detail = `a tenant has ${MAX_SIGN_IN_PROVIDERS} sign-in providers at most; nothing was done: delete one first`;
    throw new HttpError("quota_exceeded", detail, { extensions: { quota: "sign_in_providers" } });
  }
  return context.json(shown, 201, { Location: location });
};

const listSignInProviders: RouteHandler = async (context) => {
  const { data, ...page } = await providersOf(context).list(readListQuery(context, "sip"));
  return context.json({ data: data.map((provider) => show(context, provider)), ...page });
};

const readSignInProvider: RouteHandler = async (context) =>
  context.json(show(context, await findProvider(context)));

const deleteSignInProvider: RouteHandler = async (context) => {
  requireRole(context, "owner");
  const before = await findProvider(context);
  const shown = show(context, before);
  const ended = await providersOf(context).remove(before.id, nowTimestamp(), {
    by: makerOf(context.get("principal")),
    audit: auditFor(context, {
      action: "sign_in_provider.deleted",
      target: before.id,
      before: shown,
    }),
  });
  if (!ended) {
    await findProvider(context);
    throw new HttpError(
      "conflict",
      "no owner who signs in by anything else would be left, or your own rights have ended: make a new link for an owner and have it used with a passkey or another provider first",
    );
  }
  knownKeys.forget(({ id }) => ended.memberIds.includes(id));
  await cutKeys(context.env, tenantOf(context), ended.sessionIds, { tokens: true });
  return context.json({ ...shown, member_count: ended.memberIds.length });
};

/** @throws HttpError that says what is wrong with the provider: a mistyped issuer is told to its author, not to who signs in. */
async function readProvider({ env }: AppContext, issuer: string): Promise<OidcProvider> {
  const rules = egressRules(env);
  const refusal = findRefusal(issuer, rules);
  if (refusal !== null) throw fieldError("validation_failed", "#/issuer", refusal);
  try {
    const provider = await discoverProvider(issuer, providerFetch(env));
    for (const name of ["token_endpoint", "jwks_uri"] as const) {
      const problem = findRefusal(provider[name], rules);
      if (problem !== null) {
        const detail = `its configuration has a ${name} that cannot be reached: ${problem}`;
        throw fieldError("validation_failed", "#/issuer", detail);
      }
    }
    return provider;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const detail = `the provider ${error.message}; its configuration is read at {issuer}/.well-known/openid-configuration`;
    throw fieldError("validation_failed", "#/issuer", detail);
  }
}

async function checkCredential(
  context: AppContext,
  id: string | null,
  { token_endpoint }: OidcProvider,
): Promise<void> {
  if (id === null) return;
  const { credentials } = tenantStorage(context.env.DB, tenantOf(context));
  const uses = await credentials.findUses([id]);
  const problem = findCredentialProblem({ type: "tool", address: token_endpoint }, uses.get(id));
  if (problem !== null) throw fieldError("validation_failed", "#/credential_id", problem);
}

function show(context: AppContext, provider: StoredSignInProvider): SignInProvider {
  const { member_count, created_at, created_by, ...settings } = provider;
  const redirect_url = redirectUrlOf(context, provider.id);
  return { ...settings, redirect_url, member_count, created_at, created_by };
}

async function findProvider(context: AppContext): Promise<StoredSignInProvider> {
  const provider = await providersOf(context).read(pathId(context, "sign_in_provider_id"));
  if (!provider) throw notFound("sign-in provider");
  return provider;
}

function providersOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).signInProviders;
}

function rightsEnded(): HttpError {
  return unauthenticated("the credential was revoked, or is no longer an owner's");
}

export const signInProviderRoutes = {
  createSignInProvider,
  listSignInProviders,
  readSignInProvider,
  deleteSignInProvider,
};
