// The platform as a client of sign-in providers, of tenants and the operator's own: its requests go through the egress guard, and what a provider says of
// itself and its keys are kept in the isolate.
import { isHostAllowed } from "../../outgoing/allowed-hosts.ts";
import { egressRules, type EgressBindings } from "../../outgoing/egress-rules.ts";
import { createOutgoing, type OutgoingFetch } from "../../outgoing/outgoing.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readSealedCredentials } from "../../storage/credentials/sealed-credentials.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import type { SigningProvider } from "../../storage/sign-in-providers/identity-storage.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { OPERATOR_ROWS } from "../../storage/tables/row-owner.ts";
import { oauthFetch } from "../../outgoing/oauth/oauth-fetch.ts";
import type { AppContext } from "../app-env.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { KeySets } from "../token-issuers/key-sets.ts";
import { readKeySet } from "../token-issuers/read-key-set.ts";
import { OidcProviders, ProviderFailure } from "./oidc-provider.ts";
import {
  beginProviderSignIn,
  completeProviderSignIn,
  type OidcIdentity,
  type SignInSecrets,
} from "./oidc-sign-in.ts";

const providers = new OidcProviders();
let keySets: KeySets | undefined;

/** The address of the way back: each provider has its own, so that no provider answers in the place of another one. */
export function redirectUrlOf(context: AppContext, ownerId: string, providerId: string): string {
  const path = ownerId === OPERATOR_ROWS ? "/operator" : "/console";
  return `${publicOrigin(context)}${path}/sign-in/${providerId}/callback`;
}

/** Requests to a provider: without redirects, bounded in time and bytes. */
export function providerFetch(env: EgressBindings): OutgoingFetch {
  return oauthFetch(createOutgoing({ ...egressRules(env), fetch }));
}

/** @returns where the browser goes, and what it keeps. @throws {ProviderFailure} */
export async function beginAt(
  context: AppContext,
  stored: SigningProvider,
): Promise<{ readonly url: string; readonly secrets: SignInSecrets }> {
  return beginProviderSignIn(await clientOf(context, stored));
}

/** @param returned The query with which the browser came back. @throws {ProviderFailure} */
export async function completeAt(
  context: AppContext,
  stored: SigningProvider,
  secrets: SignInSecrets,
  returned: URLSearchParams,
): Promise<OidcIdentity> {
  const { env } = context;
  const client = await clientOf(context, stored);
  const secret = await secretOf(env, stored, client.provider.token_endpoint);
  keySets ??= new KeySets((address) => readKeySet(env, address));
  const way = { ...client, secrets, secret, returned };
  return completeProviderSignIn(way, providerFetch(env), keySets);
}

async function clientOf(
  context: AppContext,
  { id, tenant_id, issuer, client_id }: SigningProvider,
) {
  const provider = await providers.find(issuer, providerFetch(context.env));
  return { provider, clientId: client_id, redirectUri: redirectUrlOf(context, tenant_id, id) };
}

/** The client's secret, which goes to the hosts of its credential alone; null for a client without one. */
async function secretOf(
  env: Env,
  { tenant_id, credential_id }: SigningProvider,
  address: string,
): Promise<string | null> {
  if (credential_id === null) return null;
  const sealed = await readSealedCredentials(openDatabase(env.DB), tenant_id, [credential_id]);
  const opened = await openPinnedCredentials({ tenant_id, ...sealed }, masterKeyOf(env));
  const credential = opened.get(credential_id);
  if (!credential) {
    throw new ProviderFailure(`is set up with the credential ${credential_id}, which was deleted`);
  }
  if (isHostAllowed(address, credential.allowed_hosts)) return credential.secret;
  throw new ProviderFailure(
    `is set up with the credential ${credential_id}, which may not be sent to its token endpoint`,
  );
}
