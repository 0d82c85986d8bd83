// Sign-in providers of a tenant.
import { SignInProviderCreateSchema } from "../../protocol/sign-in-providers/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { cutKeys } from "../auth/cut-keys.ts";
import { fieldError } from "../http-error.ts";
import { requireRole } from "../members/require-role.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { findCredentialProblem } from "../requests/check-credentials.ts";
import { readBody } from "../requests/read-body.ts";
import { readListQuery } from "../requests/read-query.ts";
import type { OidcProvider } from "./oidc-provider.ts";
import {
  addProvider,
  deleteProvider,
  findProvider,
  type ProvidersOwner,
  readProvider,
  showShared,
} from "./provider-acts.ts";

const createSignInProvider: RouteHandler = async (context) => {
  const settings = await readBody(context, SignInProviderCreateSchema);
  requireRole(context, "owner");
  const found = await readProvider(context, settings.issuer);
  await checkCredential(context, settings.credential_id, found);
  return addProvider(context, ownerOf(context), { id: newId("sip"), ...settings });
};

const listSignInProviders: RouteHandler = async (context) => {
  const { providers, show } = ownerOf(context);
  const { data, ...page } = await providers.list(readListQuery(context, "sip"));
  return context.json({ data: data.map(show), ...page });
};

const readSignInProvider: RouteHandler = async (context) => {
  const owner = ownerOf(context);
  return context.json(owner.show(await findProvider(owner, providerIn(context))));
};

const deleteSignInProvider: RouteHandler = async (context) => {
  requireRole(context, "owner");
  return deleteProvider(context, ownerOf(context), providerIn(context));
};

function providerIn(context: AppContext): string {
  return pathId(context, "sign_in_provider_id");
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

function ownerOf(context: AppContext): ProvidersOwner {
  const { env } = context;
  const id = tenantOf(context);
  return {
    id,
    providers: tenantStorage(env.DB, id).signInProviders,
    path: "/v1/sign-in-providers",
    show(provider) {
      const { id: sip, name, issuer, client_id, ...rest } = showShared(context, id, provider);
      const { credential_id } = provider;
      return { id: sip, name, issuer, client_id, credential_id, ...rest };
    },
    cut: (sessionIds) => cutKeys(env, id, sessionIds, { tokens: true }),
  };
}

export const signInProviderRoutes = {
  createSignInProvider,
  listSignInProviders,
  readSignInProvider,
  deleteSignInProvider,
};
