import { and, desc, eq, inArray, isNull, lt, ne, sql } from "drizzle-orm";

import type { WebhookEndpoint, WebhookEndpointUpdate } from "../../protocol/webhooks/contract.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import type { SignedEndpointStorage } from "./signed-endpoint-storage.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "./table.ts";

/** A tenant's webhook endpoints. Nothing here decrypts a secret. */
export interface WebhookEndpointStorage extends SignedEndpointStorage<WebhookEndpoint> {
  /** Another endpoint with this URL that is not disabled, the oldest one. @param endpointId The one that is asked about. */
  findTwin(url: string, endpointId: string): Promise<string | null>;
  /** Omitted fields are not changed. Disabling fails the pending deliveries. Null when there is no such endpoint. */
  update(
    endpointId: string,
    change: WebhookEndpointUpdate,
    updatedAt: string,
    audit?: WriteAudit,
  ): Promise<WebhookEndpoint | null>;
}

const SHOWN = {
  id: webhookEndpoints.id,
  url: webhookEndpoints.url,
  description: webhookEndpoints.description,
  events: webhookEndpoints.events,
  callback_verbs: webhookEndpoints.callback_verbs,
  member_links: webhookEndpoints.member_links,
  disabled_at: webhookEndpoints.disabled_at,
  disabled_reason: webhookEndpoints.disabled_reason,
  failing_since: webhookEndpoints.failing_since,
  circuit_retry_at: webhookEndpoints.circuit_retry_at,
  created_at: webhookEndpoints.created_at,
  updated_at: webhookEndpoints.updated_at,
  old_secret_expires_at: webhookEndpoints.old_secret_expires_at,
};

const NOTHING_FAILED = { failing_since: null, circuit_failures: 0, circuit_retry_at: null };

export function webhookEndpointStorage(
  database: Database,
  tenantId: string,
): WebhookEndpointStorage {
  const isOurs = eq(webhookEndpoints.tenant_id, tenantId);
  function isThis(endpointId: string) {
    return and(isOurs, eq(webhookEndpoints.id, endpointId));
  }
  function isOfThis(endpointId: string) {
    return and(
      eq(webhookDeliveries.tenant_id, tenantId),
      eq(webhookDeliveries.endpoint_id, endpointId),
    );
  }

  return {
    async insert({ disabled: _, circuit: __, ...endpoint }, sealed, keep, audit) {
      const row = { ...endpoint, tenant_id: tenantId, sealed };
      await runInBatch(database, database.insert(webhookEndpoints).values(row), keep, audit);
    },

    async list({ before, limit }) {
      const rows = await database
        .select(SHOWN)
        .from(webhookEndpoints)
        .where(and(isOurs, before ? lt(webhookEndpoints.id, before) : undefined))
        .orderBy(desc(webhookEndpoints.id))
        .limit(limit + 1);
      return toPage(rows.map(toEndpoint), limit);
    },

    async read(endpointId) {
      const [row] = await database.select(SHOWN).from(webhookEndpoints).where(isThis(endpointId));
      return row ? toEndpoint(row) : null;
    },

    async findTwin(url, endpointId) {
      const [twin] = await database
        .select({ id: webhookEndpoints.id })
        .from(webhookEndpoints)
        .where(
          and(
            isOurs,
            eq(webhookEndpoints.url, url),
            ne(webhookEndpoints.id, endpointId),
            isNull(webhookEndpoints.disabled_at),
          ),
        )
        .orderBy(webhookEndpoints.id)
        .limit(1);
      return twin?.id ?? null;
    },

    async update(endpointId, { disabled, ...change }, updatedAt, audit) {
      const changed = database
        .update(webhookEndpoints)
        .set({
          ...change,
          // A new URL starts without failures.
          ...(change.url !== undefined && NOTHING_FAILED),
          ...(disabled === true && {
            disabled_at: sql`coalesce(${webhookEndpoints.disabled_at}, ${updatedAt})`,
            disabled_reason: sql`coalesce(${webhookEndpoints.disabled_reason}, 'tenant')`,
          }),
          ...(disabled === false && {
            disabled_at: null,
            disabled_reason: null,
            disabled_untold: false,
            ...NOTHING_FAILED,
          }),
          updated_at: updatedAt,
        })
        .where(isThis(endpointId))
        .returning(SHOWN);
      const ended = database
        .update(webhookDeliveries)
        .set({
          status: "failed",
          next_attempt_at: null,
          waits: false,
          overdue_at: null,
          finished_at: updatedAt,
        })
        .where(and(isOfThis(endpointId), eq(webhookDeliveries.status, "pending")));
      const unlinked = database
        .update(webhookDeliveries)
        .set({ payload: sql`json_set(${webhookDeliveries.payload}, '$.data.url', NULL)` })
        .where(and(isOfThis(endpointId), eq(webhookDeliveries.type, "member.invited")));
      const [rows] = await database.batch([
        changed,
        ...recordStatements(database, audit),
        ...(disabled === true ? [ended] : []),
        // Kept messages go to nobody but the endpoint that they were for.
        ...(change.url !== undefined || change.member_links === false ? [unlinked] : []),
      ]);
      return rows[0] ? toEndpoint(rows[0]) : null;
    },

    async rotate(endpointId, { sealed, oldSecretExpiresAt, rotatedAt }, keep, audit) {
      const rotated = database
        .update(webhookEndpoints)
        .set({
          sealed,
          old_sealed: sql`${webhookEndpoints.sealed}`,
          old_secret_expires_at: oldSecretExpiresAt,
          updated_at: rotatedAt,
        })
        .where(isThis(endpointId))
        .returning(SHOWN);
      const [row] = await runInBatch(database, rotated, keep, audit);
      return row ? toEndpoint(row) : null;
    },

    async remove(endpointId, audit) {
      const deliveries = database
        .select({ id: webhookDeliveries.id })
        .from(webhookDeliveries)
        .where(isOfThis(endpointId));
      const [, , removed] = await database.batch([
        database.delete(webhookAttempts).where(inArray(webhookAttempts.delivery_id, deliveries)),
        database.delete(webhookDeliveries).where(isOfThis(endpointId)),
        database
          .delete(webhookEndpoints)
          .where(isThis(endpointId))
          .returning({ id: webhookEndpoints.id }),
        ...recordStatements(database, audit),
      ]);
      return removed.length > 0;
    },
  };
}

type Row = Omit<WebhookEndpoint, "events" | "disabled" | "circuit"> & {
  readonly events: readonly string[];
};

function toEndpoint({ events, ...row }: Row): WebhookEndpoint {
  return {
    ...row,
    events: events as WebhookEndpoint["events"],
    disabled: row.disabled_at !== null,
    circuit: circuitOf(row.circuit_retry_at),
  };
}

function circuitOf(retryAt: string | null): WebhookEndpoint["circuit"] {
  if (retryAt === null) return "closed";
  return Date.parse(retryAt) > Date.now() ? "open" : "half_open";
}
