// Push notification configs of a task: what a client sends is checked, its secrets are sealed, and what it is shown has none.
import {
  MAX_A2A_ID_CHARACTERS,
  MAX_A2A_PUSH_SECRET_CHARACTERS,
  MAX_A2A_PUSH_URL_CHARACTERS,
} from "../../protocol/a2a/limits.ts";
import type { A2aPushConfig } from "../../protocol/a2a/wire.ts";
import type { StoredPushConfig } from "../../durable-objects/tables/a2a-push-table.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { egressRules, type EgressBindings } from "../../outgoing/egress-rules.ts";
import { findRefusal } from "../../outgoing/outgoing.ts";
import { sealPushSecrets } from "../../storage/a2a/push-secrets.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { createTenantKey, type CredentialSeal } from "../../storage/secrets/credential-cipher.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { masterKeyOf, type MasterKeyBindings } from "../../storage/secrets/deployment-secrets.ts";
import { sessionStub } from "../objects/session-stub.ts";

type ConfigBindings = MasterKeyBindings & EgressBindings & Pick<Env, "DB" | "SESSION">;

/** The task of a config. */
export interface A2aTaskPlace {
  readonly tenant_id: string;
  readonly session_id: string;
  readonly reply_id: string;
}

interface CreateOptions {
  /** The config came with the message that has begun the task: what has happened since is told, too. */
  readonly since_start?: boolean;
}

/** A scheme of HTTP's authentication: a token of RFC 9110. */
const SCHEME = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
/** A secret that a header can carry, without blanks at its ends. */
const SECRET = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Makes a config, in place of one with its id; without an id it gets one. Refused with `validation_failed` for what cannot be
 * sent, `not_found` for no such task, `conflict` when the task has as many as it may have.
 */
export async function createPushConfig(
  env: ConfigBindings,
  place: A2aTaskPlace,
  config: A2aPushConfig,
  { since_start = false }: CreateOptions = {},
): Promise<Result<A2aPushConfig>> {
  const { tenant_id, session_id, reply_id } = place;
  const refused = refusalOf(env, config);
  if (refused) return refuse("validation_failed", refused);
  const config_id = config.id || crypto.randomUUID();
  const sealed = { session_id, reply_id, config_id };
  const secrets = await sealPushSecrets(config, sealed, () => sealOf(env, tenant_id));
  const scheme = config.authentication?.scheme || null;
  const stored: StoredPushConfig = { id: config_id, url: config.url, scheme, ...secrets };
  const created = await stubOf(env, place).act("createA2aPushConfig", {
    reply_id,
    config: stored,
    since_start,
  });
  return created.ok ? accept(shown(place, created.value)) : created;
}

export async function readPushConfig(
  env: ConfigBindings,
  place: A2aTaskPlace,
  configId: string,
): Promise<Result<A2aPushConfig>> {
  const { reply_id } = place;
  const found = await stubOf(env, place).act("readA2aPushConfig", {
    reply_id,
    config_id: configId,
  });
  return found.ok ? accept(shown(place, found.value)) : found;
}

/** All of the task, in the order of their ids. */
export async function listPushConfigs(
  env: ConfigBindings,
  place: A2aTaskPlace,
): Promise<Result<readonly A2aPushConfig[]>> {
  const { reply_id } = place;
  const found = await stubOf(env, place).act("listA2aPushConfigs", { reply_id });
  return found.ok ? accept(found.value.map((config) => shown(place, config))) : found;
}

/** Also when the task has none with this id. */
export async function deletePushConfig(
  env: ConfigBindings,
  place: A2aTaskPlace,
  configId: string,
): Promise<Result<null>> {
  const { reply_id } = place;
  return stubOf(env, place).act("deleteA2aPushConfig", { reply_id, config_id: configId });
}

/** The reason for which a config is not taken; null for one that is. Its words have nothing of a secret. */
export function refusalOf(
  env: EgressBindings,
  { id = "", url, token, authentication }: A2aPushConfig,
): string | null {
  if (id.length > MAX_A2A_ID_CHARACTERS) return "the id of the config is too long";
  if (url.length > MAX_A2A_PUSH_URL_CHARACTERS) return "the url of the config is too long";
  const reason = findRefusal(url, egressRules(env));
  if (reason) return `the url of the config cannot be used: ${reason}`;
  const { scheme = "", credentials } = authentication ?? {};
  if (authentication && !SCHEME.test(scheme)) return "the scheme is none of HTTP's authentication";
  if (isUnsendable(token)) return "the token cannot be sent in a header";
  if (isUnsendable(credentials)) return "the credentials cannot be sent in a header";
  return null;
}

/** An empty text is left out, as ProtoJSON reads it. */
function isUnsendable(secret: string | undefined): boolean {
  if (!secret) return false;
  return secret.length > MAX_A2A_PUSH_SECRET_CHARACTERS || !SECRET.test(secret);
}

function shown({ reply_id }: A2aTaskPlace, { id, url, scheme }: StoredPushConfig): A2aPushConfig {
  return { id, taskId: reply_id, url, ...(scheme !== null && { authentication: { scheme } }) };
}

/** The tenant's key is made with its first secret. */
async function sealOf(env: ConfigBindings, tenantId: string): Promise<CredentialSeal> {
  const masterKey = masterKeyOf(env);
  const tenantKey =
    (await readTenantKey(env.DB, tenantId)) ??
    (await tenantStorage(env.DB, tenantId).credentials.keepTenantKey(
      await createTenantKey(masterKey.current, tenantId),
    ));
  return { masterKey, tenantKey, tenantId };
}

function stubOf(env: ConfigBindings, { tenant_id, session_id }: A2aTaskPlace) {
  return sessionStub(env, tenant_id, session_id);
}
