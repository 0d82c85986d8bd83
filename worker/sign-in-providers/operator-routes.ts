// Sign-in providers of the operator's own people. A client's secret is kept with its provider, since the operator has no
// credentials: docs/decisions/2026-11-29-people-of-the-operator.md.
import { hostOf, normalizeAllowedHost } from "../../outgoing/allowed-hosts.ts";
import {
  OperatorSignInProviderCreateSchema,
  type OperatorSignInProvider,
} from "../../protocol/sign-in-providers/operator-contract.ts";
import { operatorPeople } from "../../storage/operator/operator-people.ts";
import { createTenantKey, sealSecret } from "../../storage/secrets/credential-cipher.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import type {
  ClientSecret,
  StoredSignInProvider,
} from "../../storage/sign-in-providers/sign-in-provider-storage.ts";
import { OPERATOR_ROWS } from "../../storage/tables/row-owner.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { requireOperatorRole } from "../members/require-role.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { readBody } from "../requests/read-body.ts";
import { readListQuery } from "../requests/read-query.ts";
import {
  addProvider,
  deleteProvider,
  findProvider,
  type ProvidersOwner,
  readProvider,
  showShared,
} from "./provider-acts.ts";

const createOperatorSignInProvider: RouteHandler = async (context) => {
  const body = await readBody(context, OperatorSignInProviderCreateSchema);
  const { client_secret, ...settings } = body;
  requireOperatorRole(context, "owner");
  const { token_endpoint } = await readProvider(context, settings.issuer);
  const secret =
    client_secret === undefined
      ? undefined
      : await sealForOperator(context, client_secret, token_endpoint);
  const provider = { id: newId("sip"), ...settings, credential_id: secret?.credential.id ?? null };
  return addProvider(context, ownerOf(context), provider, secret);
};

const listOperatorSignInProviders: RouteHandler = async (context) => {
  const { providers, show } = ownerOf(context);
  const { data, ...page } = await providers.list(readListQuery(context, "sip"));
  return context.json({ data: data.map(show), ...page });
};

const readOperatorSignInProvider: RouteHandler = async (context) => {
  const owner = ownerOf(context);
  return context.json(owner.show(await findProvider(owner, providerIn(context))));
};

const deleteOperatorSignInProvider: RouteHandler = async (context) => {
  requireOperatorRole(context, "owner");
  return deleteProvider(context, ownerOf(context), providerIn(context));
};

function providerIn(context: AppContext): string {
  return pathId(context, "sign_in_provider_id");
}

/** Encrypted as tenants' credentials are, with a data key of the operator's own, and for the host of the token endpoint alone. */
async function sealForOperator(
  { env }: AppContext,
  secret: string,
  address: string,
): Promise<ClientSecret> {
  const now = nowTimestamp();
  const host = hostOf(address);
  const credential = {
    id: newId("crd"),
    name: "A sign-in provider's client",
    type: "tool",
    allowed_hosts: [normalizeAllowedHost(host) ?? host],
    version: 1,
    created_at: now,
    updated_at: now,
  } as const;
  const masterKey = masterKeyOf(env);
  const tenantKey = await operatorPeople(env.DB).keepDataKey(
    await createTenantKey(masterKey.current, OPERATOR_ROWS),
  );
  const seal = { masterKey, tenantKey, tenantId: OPERATOR_ROWS };
  return { credential, sealed: await sealSecret(secret, credential.id, seal) };
}

function ownerOf(context: AppContext): ProvidersOwner {
  return {
    id: OPERATOR_ROWS,
    providers: operatorPeople(context.env.DB).signInProviders,
    path: "/v1/operator/sign-in-providers",
    show: (provider) => show(context, provider),
    cut: () => Promise.resolve(),
  };
}

function show(context: AppContext, provider: StoredSignInProvider): OperatorSignInProvider {
  const { id, name, issuer, client_id, ...rest } = showShared(context, OPERATOR_ROWS, provider);
  const has_client_secret = provider.credential_id !== null;
  return { id, name, issuer, client_id, has_client_secret, ...rest };
}

export const operatorSignInProviderRoutes = {
  createOperatorSignInProvider,
  listOperatorSignInProviders,
  readOperatorSignInProvider,
  deleteOperatorSignInProvider,
};
