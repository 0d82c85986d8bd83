import type { Credential } from "../../protocol/api/credentials.ts";
import { CredentialCreateSchema } from "../../protocol/api/credentials.ts";
import { tenantStorage } from "../../storage/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { notFound } from "../http-error.ts";
import { keepFor } from "../keep-answer.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../read-body.ts";
import { readListQuery } from "../read-query.ts";
import { sealForTenant } from "../seal-secret.ts";

const createCredential: RouteHandler = async (context) => {
  const { secret, ...shown } = await readBody(context, CredentialCreateSchema);
  const credential: Credential = { id: newId("crd"), ...shown, created_at: nowTimestamp() };
  await credentialsOf(context).insert(
    credential,
    await sealForTenant(context, secret, credential.id),
    keepFor(context, { status: 201, body: credential }),
  );
  return context.json(credential, 201);
};

const listCredentials: RouteHandler = async (context) =>
  context.json(await credentialsOf(context).list(readListQuery(context, "crd")));

const deleteCredential: RouteHandler = async (context) => {
  const isRemoved = await credentialsOf(context).remove(pathId(context, "credential_id"));
  if (!isRemoved) throw notFound("credential");
  return context.body(null, 204);
};

function credentialsOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).credentials;
}

export const credentialRoutes = { createCredential, listCredentials, deleteCredential };
