// The form and the secrets of a trigger's webhook, which its door needs before the sender has proved anything.
import { DEFAULT_QUOTAS, type Quotas } from "../../protocol/quotas/contract.ts";
import type { TenantStatus } from "../../protocol/tenants/contract.ts";
import type { WebhookForm } from "../../protocol/triggers/contract.ts";
import type { SealedSecret, WrappedKey } from "../secrets/credential-cipher.ts";
import type { RegisteredTrigger, TriggerPlace } from "./trigger-registry.ts";

export interface TriggerWebhook {
  readonly trigger: RegisteredTrigger;
  readonly form: WebhookForm;
  /** The accepted secrets, encrypted: one, or two during the overlap of a rotation. */
  readonly sealed: readonly SealedSecret[];
  readonly tenant_key: WrappedKey;
  readonly tenant_status: TenantStatus;
  /** The tenant's quota of requests per ten seconds. */
  readonly requests: Quotas["requests"];
}

type Row = Omit<RegisteredTrigger, "definition"> & {
  readonly definition: string;
  readonly webhook_form: WebhookForm;
  readonly sealed: SealedSecret;
  readonly old_sealed: SealedSecret | null;
  readonly old_secret_expires_at: string | null;
  readonly tenant_key: WrappedKey;
  readonly tenant_status: TenantStatus;
  readonly quotas: string;
};

const FOUND = `t.id, t.tenant_id, t.revision, t.status, t.definition, t.due_after, t.origin, t.webhook_form, t.sealed,
  t.old_sealed, t.old_secret_expires_at, tenant_keys.wrapped AS tenant_key, tenants.status AS tenant_status,
  tenants.quotas`;

/**
 * Null for a trigger that is gone or has no webhook, and for a closed tenant.
 * @param now ISO time, at which the old secret may have expired.
 */
export async function findTriggerWebhook(
  database: D1Database,
  { id, tenant_id }: TriggerPlace,
  now: string,
): Promise<TriggerWebhook | null> {
  const row = await database
    .prepare(
      `SELECT ${FOUND} FROM triggers t JOIN tenants ON tenants.id = t.tenant_id
       JOIN tenant_keys ON tenant_keys.tenant_id = t.tenant_id
       WHERE t.id = ?1 AND t.tenant_id = ?2 AND t.deleted_at IS NULL AND tenants.deleted_at IS NULL
       AND t.sealed IS NOT NULL AND t.webhook_form IS NOT NULL`,
    )
    .bind(id, tenant_id)
    .first<Row>();
  if (!row) return null;
  const { definition, webhook_form, sealed, old_sealed, old_secret_expires_at, ...rest } = row;
  const { tenant_key, tenant_status, quotas, ...trigger } = rest;
  const isOldAccepted =
    old_sealed !== null && old_secret_expires_at !== null && old_secret_expires_at > now;
  const { requests } = JSON.parse(quotas) as Partial<Quotas>;
  return {
    trigger: { ...trigger, definition: JSON.parse(definition) as RegisteredTrigger["definition"] },
    form: webhook_form,
    sealed: isOldAccepted ? [sealed, old_sealed] : [sealed],
    tenant_key,
    tenant_status,
    requests: requests ?? DEFAULT_QUOTAS.requests,
  };
}
