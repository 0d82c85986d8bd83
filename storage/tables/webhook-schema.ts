// The tables of D1 for what leaves and enters as signed webhooks. Times are UTC ISO text, ids sort by time.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import {
  type CallbackVerb,
  DEFAULT_CALLBACK_VERBS,
} from "../../protocol/api/webhooks/webhook-endpoints.ts";
import type { SealedSecret } from "../secrets/credential-cipher.ts";

/** Where a tenant wants to hear of events. */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    url: text().notNull(),
    description: text(),
    events: text({ mode: "json" }).$type<string[]>().notNull(),
    /** What the addresses in its messages may do. */
    callback_verbs: text({ mode: "json" })
      .$type<CallbackVerb[]>()
      .notNull()
      .default([...DEFAULT_CALLBACK_VERBS]),
    sealed: text().$type<SealedSecret>().notNull(),
    /** The secret before the last rotation signs too, until it expires. */
    old_sealed: text().$type<SealedSecret>(),
    old_secret_expires_at: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    disabled_at: text(),
    /** `tenant` by a PATCH, `gone` by a 410, `failing` when nothing had arrived for too long. */
    disabled_reason: text({ enum: ["tenant", "gone", "failing"] }),
    /** The platform has disabled it, and the tenant's other endpoints have not been told of it yet. */
    disabled_untold: integer({ mode: "boolean" }).notNull().default(false),
    /** The first failure since the last success. */
    failing_since: text(),
    /** Attempts in a row that say that the receiver is not there or cannot cope. */
    circuit_failures: integer().notNull().default(0),
    /** While its circuit is open: from when on one attempt may try whether it is well again. */
    circuit_retry_at: text(),
  },
  (table) => [
    index("webhook_endpoints_tenant").on(table.tenant_id, table.id),
    index("webhook_endpoints_untold")
      .on(table.disabled_at)
      .where(sql`${table.disabled_untold} = 1`),
  ],
);

/** One message for one endpoint, with how far its delivery has come. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    endpoint_id: text().notNull(),
    /** The `webhook-id`: the same for every endpoint and attempt. */
    message_id: text().notNull(),
    type: text().notNull(),
    /** The body, byte for byte as it is signed. */
    payload: text().notNull(),
    status: text({ enum: ["pending", "delivered", "failed"] }).notNull(),
    attempts: integer().notNull(),
    /** Those before the last redelivery: the schedule begins anew after them. */
    attempts_before: integer().notNull().default(0),
    /** While it is pending: when it is due, or until when the attempt under way has it for itself. */
    next_attempt_at: text(),
    /** It is due and has no job: it waits for a place among those under way, or for its endpoint's circuit. */
    waits: integer({ mode: "boolean" }).notNull().default(false),
    /** While it is pending and does not wait: from when on its job counts as lost. */
    overdue_at: text(),
    created_at: text().notNull(),
    finished_at: text(),
  },
  (table) => [
    uniqueIndex("webhook_deliveries_message").on(table.endpoint_id, table.message_id),
    index("webhook_deliveries_endpoint").on(table.tenant_id, table.endpoint_id, table.id),
    index("webhook_deliveries_overdue")
      .on(table.overdue_at)
      .where(sql`${table.overdue_at} IS NOT NULL`),
    index("webhook_deliveries_waiting")
      .on(table.tenant_id, table.endpoint_id, table.next_attempt_at)
      .where(sql`${table.waits} = 1`),
  ],
);

/**
 * An attempt that is under way: a place of its tenant and of its endpoint. A table of its own, so that nothing that a
 * tenant does to a delivery or an endpoint frees a place whose connection is still open.
 */
export const webhookLeases = sqliteTable(
  "webhook_leases",
  {
    tenant_id: text().notNull(),
    endpoint_id: text().notNull(),
    delivery_id: text().notNull(),
    attempt: integer().notNull(),
    /** The attempt is over long before; one that is not has died with its machine. */
    expires_at: text().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.tenant_id, table.endpoint_id, table.delivery_id, table.attempt],
    }),
  ],
);

export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    delivery_id: text().notNull(),
    /** Counts from 1, over redeliveries too. */
    attempt: integer().notNull(),
    tenant_id: text().notNull(),
    at: text().notNull(),
    /** Null when there was no answer; `error` then says why. */
    status: integer(),
    error: text(),
    duration_ms: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.delivery_id, table.attempt] })],
);

/** The calls that were announced, so that a reply that goes on waiting announces none of them again. */
export const webhookAnnouncements = sqliteTable(
  "webhook_announcements",
  {
    tenant_id: text().notNull(),
    session_id: text().notNull(),
    tool_call_id: text().notNull(),
    kind: text({ enum: ["permission", "external_result"] }).notNull(),
    /** The outbox's count in its session, of the entry that announced the call. */
    entry: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.session_id, table.tool_call_id, table.kind] })],
);

/** Where a tenant's own systems post answers, signed with a secret of the endpoint's own. */
export const inboundEndpoints = sqliteTable(
  "inbound_endpoints",
  {
    id: text().primaryKey(),
    tenant_id: text().notNull(),
    name: text().notNull(),
    sealed: text().$type<SealedSecret>().notNull(),
    old_sealed: text().$type<SealedSecret>(),
    old_secret_expires_at: text(),
    created_at: text().notNull(),
  },
  (table) => [index("inbound_endpoints_tenant").on(table.tenant_id, table.id)],
);

/** The webhook ids that were taken, for as long as their signatures would be believed. */
export const inboundMessages = sqliteTable(
  "inbound_messages",
  {
    endpoint_id: text().notNull(),
    webhook_id: text().notNull(),
    tenant_id: text().notNull(),
    received_at: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.endpoint_id, table.webhook_id] }),
    index("inbound_messages_received").on(table.endpoint_id, table.received_at),
  ],
);
