// Acts on the sign-in providers of one owner, a tenant or the operator, behind the routes of both. Who signs in by one may be an
// owner, so who registers or deletes one has an owner's rights.
import { egressRules } from "../../outgoing/egress-rules.ts";
import { findRefusal } from "../../outgoing/outgoing.ts";
import type { SignInProvider } from "../../protocol/sign-in-providers/contract.ts";
import { MAX_SIGN_IN_PROVIDERS } from "../../protocol/sign-in-providers/limits.ts";
import type {
  ClientSecret,
  SignInProviderStorage,
  StoredSignInProvider,
} from "../../storage/sign-in-providers/sign-in-provider-storage.ts";
import type { AppContext } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { knownKeys } from "../auth/known-keys.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { nowTimestamp } from "../new-id.ts";
import { makerOf } from "../principal.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { discoverProvider, type OidcProvider, ProviderFailure } from "./oidc-provider.ts";
import { providerFetch, redirectUrlOf } from "./provider-client.ts";

/** The owner of sign-in providers, with what is particular to its kind. */
export interface ProvidersOwner {
  /** A tenant's id, or `OPERATOR_ROWS`. */
  readonly id: string;
  readonly providers: SignInProviderStorage;
  /** The path of its routes. */
  readonly path: string;
  /** The provider as the API and the audit show it. */
  readonly show: (provider: StoredSignInProvider) => object;
  /** Ends what was opened with sessions that have ended: streams, tokens. */
  readonly cut: (sessionIds: readonly string[]) => Promise<void>;
}

/** @param settings As the request says. */
export async function addProvider(
  context: AppContext,
  owner: ProvidersOwner,
  settings: Omit<StoredSignInProvider, "member_count" | "created_at" | "created_by">,
  secret?: ClientSecret,
): Promise<Response> {
  const by = makerOf(context.get("principal"));
  const provider: StoredSignInProvider = {
    ...settings,
    member_count: 0,
    created_at: nowTimestamp(),
    created_by: by,
  };
  const location = `${owner.path}/${provider.id}`;
  const shown = owner.show(provider);
  const act = {
    by,
    keep: answerStatement(context, { status: 201, location, body: shown }),
    audit: auditFor(context, {
      action: "sign_in_provider.created",
      target: provider.id,
      after: shown,
      tenantId: owner.id,
    }),
  };
  const outcome = await owner.providers.insert(provider, act, secret);
  if (outcome === "maker_ended") {
    throw unauthenticated("the credential was revoked, or is no longer an owner's");
  }
  if (outcome === "full") {
    const detail = `there are ${MAX_SIGN_IN_PROVIDERS} sign-in providers at most; nothing was done: delete one first`;
    throw new HttpError("quota_exceeded", detail, { extensions: { quota: "sign_in_providers" } });
  }
  return context.json(shown, 201, { Location: location });
}

export async function deleteProvider(
  context: AppContext,
  owner: ProvidersOwner,
  id: string,
): Promise<Response> {
  const before = await findProvider(owner, id);
  const ended = await owner.providers.remove(before.id, nowTimestamp(), {
    by: makerOf(context.get("principal")),
    audit: auditFor(context, {
      action: "sign_in_provider.deleted",
      target: before.id,
      before: owner.show(before),
      tenantId: owner.id,
    }),
  });
  if (!ended) {
    await findProvider(owner, id);
    throw new HttpError(
      "conflict",
      "no owner who signs in by anything else would be left, or your own rights have ended: make a new link for an owner and have it used with a passkey or another provider first",
    );
  }
  knownKeys.forget((key) => ended.memberIds.includes(key.id));
  await owner.cut(ended.sessionIds);
  return context.json(owner.show({ ...before, member_count: ended.memberIds.length }));
}

/** @throws HttpError for an id that is no provider's of this owner. */
export async function findProvider(
  { providers }: ProvidersOwner,
  id: string,
): Promise<StoredSignInProvider> {
  const provider = await providers.read(id);
  if (!provider) throw notFound("sign-in provider");
  return provider;
}

/** The members that providers of every owner show. */
export function showShared(
  context: AppContext,
  ownerId: string,
  { id, name, issuer, client_id, member_count, created_at, created_by }: StoredSignInProvider,
): Omit<SignInProvider, "credential_id"> {
  const redirect_url = redirectUrlOf(context, ownerId, id);
  return { id, name, issuer, client_id, redirect_url, member_count, created_at, created_by };
}

/** @throws HttpError that says what is wrong with the provider: a mistyped issuer is told to its author, not to who signs in. */
export async function readProvider({ env }: AppContext, issuer: string): Promise<OidcProvider> {
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
