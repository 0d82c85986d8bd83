import {
  CredentialCreateSchema,
  CredentialUpdateSchema,
  type Credential,
} from "../../protocol/credentials/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { notFound } from "../http-error.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { normalizeHosts } from "../requests/normalize-hosts.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { readListQuery } from "../requests/read-query.ts";
import { sealForTenant } from "../auth/seal-for-tenant.ts";

const createCredential: RouteHandler = async (context) => {
  const { secret, allowed_hosts, ...named } = await readBody(context, CredentialCreateSchema);
  const created_at = nowTimestamp();
  const credential: Credential = {
    id: newId("crd"),
    ...named,
    allowed_hosts: normalizeHosts(allowed_hosts),
    version: 1,
    created_at,
    updated_at: created_at,
  };
  await credentialsOf(context).insert(
    credential,
    await sealForTenant(context, secret, credential.id),
    answerStatement(context, { status: 201, body: credential }),
    auditFor(context, { action: "credential.created", target: credential.id, after: credential }),
  );
  return context.json(credential, 201);
};

const listCredentials: RouteHandler = async (context) =>
  context.json(await credentialsOf(context).list(readListQuery(context, "crd")));

const readCredential: RouteHandler = async (context) => context.json(await findCredential(context));

/** Rotation in place: the id does not change, so agents and sessions use the new secret without an update. */
const updateCredential: RouteHandler = async (context) => {
  const { secret, allowed_hosts, name } = await readBody(context, CredentialUpdateSchema);
  const hosts = allowed_hosts && normalizeHosts(allowed_hosts);
  const current = await findCredential(context);
  if (secret === undefined && !hosts && name === undefined) return context.json(current);
  const sealed =
    secret === undefined ? undefined : await sealForTenant(context, secret, current.id);
  const change = { name, sealed, allowed_hosts: hosts };
  const audit = auditFor(context, {
    action: "credential.updated",
    target: current.id,
    before: current,
    after: {
      ...current,
      ...(name !== undefined && { name }),
      ...(hosts && { allowed_hosts: hosts }),
      ...(sealed && { is_rotated: true }),
    },
  });
  const now = nowTimestamp();
  const credential = await credentialsOf(context).update(current.id, change, now, audit);
  if (!credential) throw notFound("credential");
  return context.json(credential);
};

const deleteCredential: RouteHandler = async (context) => {
  const current = await findCredential(context);
  const audit = auditFor(context, {
    action: "credential.deleted",
    target: current.id,
    before: current,
  });
  const isRemoved = await credentialsOf(context).remove(current.id, audit);
  if (!isRemoved) throw notFound("credential");
  return context.body(null, 204);
};

async function findCredential(context: AppContext): Promise<Credential> {
  const credential = await credentialsOf(context).read(pathId(context, "credential_id"));
  if (!credential) throw notFound("credential");
  return credential;
}

function credentialsOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).credentials;
}

export const credentialRoutes = {
  createCredential,
  listCredentials,
  readCredential,
  updateCredential,
  deleteCredential,
};
