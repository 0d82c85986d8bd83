import { and, asc, desc, eq, exists, gt, isNull, lt, notExists, sql } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import type {
  ReadWebhookDelivery,
  WebhookDelivery,
  WebhookDeliveryStatus,
} from "../../protocol/webhooks/webhook-deliveries.ts";
import type { WebhookEvent, WebhookEventType } from "../../protocol/webhooks/webhook-events.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import type { WebhookJob } from "./webhook-job.ts";
import { overdueAfter } from "./webhook-leases.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookLeases } from "./table.ts";

interface DeliveryFilter {
  readonly status?: WebhookDeliveryStatus;
  readonly type?: WebhookEventType;
}

/** A tenant's webhook deliveries, to be listed and repeated; attempts are made through `claim-delivery.ts`. */
export interface WebhookDeliveryStorage {
  /** Newest first. Null when there is no such endpoint. */
  list(
    endpointId: string,
    request: ListRequest & DeliveryFilter,
  ): Promise<Page<WebhookDelivery> | null>;
  read(endpointId: string, deliveryId: string): Promise<ReadWebhookDelivery | null>;
  /**
   * Makes the delivery due now and restarts its retry schedule. Null when there is none, its endpoint is disabled, or
   * an attempt is under way: a concurrent one would exceed the endpoint's limit.
   */
  redeliver(
    endpointId: string,
    deliveryId: string,
    now: string,
    keep?: KeepAnswer,
  ): Promise<{ delivery: WebhookDelivery; job: WebhookJob } | null>;
  /**
   * Adds a message for this endpoint alone, due at once and also while its circuit is open. Null when the endpoint is
   * disabled or not there.
   */
  insert(
    endpointId: string,
    message: { readonly id: string; readonly message_id: string; readonly event: WebhookEvent },
    keep?: KeepAnswer,
    audit?: WriteAudit,
  ): Promise<{ delivery: WebhookDelivery; job: WebhookJob } | null>;
}

const SHOWN = {
  id: webhookDeliveries.id,
  endpoint_id: webhookDeliveries.endpoint_id,
  message_id: webhookDeliveries.message_id,
  type: sql<WebhookEventType>`${webhookDeliveries.type}`,
  status: webhookDeliveries.status,
  attempt_count: sql<number>`${webhookDeliveries.attempts}`,
  next_attempt_at: webhookDeliveries.next_attempt_at,
  created_at: webhookDeliveries.created_at,
  finished_at: webhookDeliveries.finished_at,
};

export function webhookDeliveryStorage(
  database: Database,
  tenantId: string,
): WebhookDeliveryStorage {
  function isOf(endpointId: string) {
    return and(
      eq(webhookDeliveries.tenant_id, tenantId),
      eq(webhookDeliveries.endpoint_id, endpointId),
    );
  }
  function endpointOf(endpointId: string) {
    return database
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.tenant_id, tenantId), eq(webhookEndpoints.id, endpointId)));
  }

  return {
    async list(endpointId, { before, limit, status, type }) {
      const [endpoints, rows] = await database.batch([
        endpointOf(endpointId),
        database
          .select(SHOWN)
          .from(webhookDeliveries)
          .where(
            and(
              isOf(endpointId),
              before ? lt(webhookDeliveries.id, before) : undefined,
              status === undefined ? undefined : eq(webhookDeliveries.status, status),
              type === undefined ? undefined : eq(webhookDeliveries.type, type),
            ),
          )
          .orderBy(desc(webhookDeliveries.id))
          .limit(limit + 1),
      ]);
      return endpoints.length > 0 ? toPage(rows, limit) : null;
    },

    async read(endpointId, deliveryId) {
      const [[row], attempts] = await database.batch([
        database
          .select({ ...SHOWN, payload: webhookDeliveries.payload })
          .from(webhookDeliveries)
          .where(and(isOf(endpointId), eq(webhookDeliveries.id, deliveryId))),
        database
          .select({
            attempt: webhookAttempts.attempt,
            at: webhookAttempts.at,
            status: webhookAttempts.status,
            error: webhookAttempts.error,
            duration_ms: webhookAttempts.duration_ms,
          })
          .from(webhookAttempts)
          .where(
            and(
              eq(webhookAttempts.tenant_id, tenantId),
              eq(webhookAttempts.delivery_id, deliveryId),
            ),
          )
          .orderBy(asc(webhookAttempts.attempt)),
      ]);
      if (!row) return null;
      return { ...row, payload: readablePayload(row.payload), attempts };
    },

    async redeliver(endpointId, deliveryId, now, keep) {
      const enabled = database
        .select({ id: webhookEndpoints.id })
        .from(webhookEndpoints)
        .where(
          and(
            eq(webhookEndpoints.tenant_id, tenantId),
            eq(webhookEndpoints.id, endpointId),
            isNull(webhookEndpoints.disabled_at),
          ),
        );
      const underWay = database
        .select({ delivery_id: webhookLeases.delivery_id })
        .from(webhookLeases)
        .where(
          and(
            eq(webhookLeases.tenant_id, tenantId),
            eq(webhookLeases.endpoint_id, endpointId),
            eq(webhookLeases.delivery_id, deliveryId),
            gt(webhookLeases.expires_at, now),
          ),
        );
      const redelivered = database
        .update(webhookDeliveries)
        .set({
          status: "pending",
          attempts_before: sql`${webhookDeliveries.attempts}`,
          next_attempt_at: now,
          waits: false,
          overdue_at: overdueAfter(Date.parse(now)),
          finished_at: null,
        })
        .where(
          and(
            isOf(endpointId),
            eq(webhookDeliveries.id, deliveryId),
            exists(enabled),
            notExists(underWay),
          ),
        )
        .returning(SHOWN);
      const [delivery] = await runInBatch(database, redelivered, keep);
      if (!delivery) return null;
      const attempt = delivery.attempt_count + 1;
      const place = { tenant_id: tenantId, delivery_id: delivery.id, attempt };
      return { delivery, job: { ...place, is_asked_for: true } };
    },

    async insert(endpointId, { id, message_id, event }, keep, audit) {
      const now = event.timestamp;
      // In the order of the table's columns.
      const values: readonly unknown[] = [
        id,
        tenantId,
        endpointId,
        message_id,
        event.type,
        JSON.stringify(event),
        "pending",
        0,
        0,
        now,
        0,
        overdueAfter(Date.parse(now)),
        now,
        null,
      ];
      const inserted = database
        .insert(webhookDeliveries)
        .select(
          sql`SELECT ${sql.join(
            values.map((value) => sql`${value}`),
            sql`, `,
          )} FROM ${webhookEndpoints} WHERE ${webhookEndpoints.tenant_id} = ${tenantId}
            AND ${webhookEndpoints.id} = ${endpointId} AND ${webhookEndpoints.disabled_at} IS NULL`,
        )
        .returning(SHOWN);
      const [delivery] = await runInBatch(database, inserted, keep, audit);
      if (!delivery) return null;
      const place = { tenant_id: tenantId, delivery_id: delivery.id, attempt: 1 };
      return { delivery, job: { ...place, is_asked_for: true } };
    },
  };
}

/**
 * The body without the token of its callback URL or the secret of its link: permission to read deliveries does not
 * include answering calls, nor signing in.
 */
function readablePayload(text: string): ReadWebhookDelivery["payload"] {
  const payload = JSON.parse(text) as ReadWebhookDelivery["payload"];
  if (payload.type === "member.invited") {
    const url = payload.data.url?.replace(/#.*$/, "#…") ?? null;
    return { ...payload, data: { ...payload.data, url } };
  }
  if (!("callback_url" in payload.data) || payload.data.callback_url === null) return payload;
  const callback_url = payload.data.callback_url.replace(/[^/]*$/, "…");
  return { ...payload, data: { ...payload.data, callback_url } } as typeof payload;
}
