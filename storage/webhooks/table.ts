// The tables of D1 for outgoing and inbound signed webhooks. Times are UTC ISO text, ids sort by time.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import { type CallbackVerb, DEFAULT_CALLBACK_VERBS } from "../../protocol/webhooks/contract.ts";
import type { SealedSecret } from "../secrets/credential-cipher.ts";
import { changeTimes, tenantRow } from "../tables/shared-columns.ts";

/** URLs to which a tenant's events are sent. */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    ...tenantRow,
    url: text().notNull(),
    description: text(),
    events: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The answers that the callback URLs in its messages may give. */
    callback_verbs: text({ mode: "json" })
      .$type<CallbackVerb[]>()
      .notNull()
      .default([...DEFAULT_CALLBACK_VERBS]),
    /** Whether invitations are sent to it with their links. */
    member_links: integer({ mode: "boolean" }).notNull().default(false),
    sealed: text().$type<SealedSecret>().notNull(),
    /** The secret before the last rotation; messages are signed with it too until it expires. */
    old_sealed: text().$type<SealedSecret>(),
    old_secret_expires_at: text(),
    ...changeTimes,
    disabled_at: text(),
    /** `tenant`: by a PATCH; `gone`: the receiver answered 410; `failing`: no success for too long. */
    disabled_reason: text({ enum: ["tenant", "gone", "failing"] }),
    /** The platform has disabled it and `webhook_endpoint.disabled` is not published yet. */
    disabled_untold: integer({ mode: "boolean" }).notNull().default(false),
    /** Time of the first failure since the last success. */
    failing_since: text(),
    /** Consecutive failures that count for the circuit breaker: no answer, 429 or 5xx. */
    circuit_failures: integer().notNull().default(0),
    /** While the circuit is open: when one attempt may probe the receiver; null while it is closed. */
    circuit_retry_at: text(),
  },
  (table) => [
    index("webhook_endpoints_tenant").on(table.tenant_id, table.id),
    index("webhook_endpoints_untold")
      .on(table.disabled_at)
      .where(sql`${table.disabled_untold} = 1`),
  ],
);

/** One message for one endpoint, with the state of its delivery. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    ...tenantRow,
    endpoint_id: text().notNull(),
    /** The `webhook-id`: the same for every endpoint and attempt. */
    message_id: text().notNull(),
    type: text().notNull(),
    /** The body, byte for byte as it is signed. */
    payload: text().notNull(),
    status: text({ enum: ["pending", "delivered", "failed"] }).notNull(),
    attempts: integer().notNull(),
    /** Attempts before the last redelivery, with which the retry schedule starts again. */
    attempts_before: integer().notNull().default(0),
    /** While pending: when the next attempt is due, or when the lease of the current attempt ends. */
    next_attempt_at: text(),
    /** The delivery is due and has no job: it waits for a concurrency slot or for the endpoint's circuit. */
    waits: integer({ mode: "boolean" }).notNull().default(false),
    /** While pending and not waiting: when its job counts as lost. */
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
 * Leases of the attempts that are under way, counted against the concurrency limits of tenant and endpoint. A table of
 * its own, so that changing or deleting a delivery or an endpoint does not release the lease of an open connection.
 */
export const webhookLeases = sqliteTable(
  "webhook_leases",
  {
    tenant_id: text().notNull(),
    endpoint_id: text().notNull(),
    delivery_id: text().notNull(),
    attempt: integer().notNull(),
    /** An attempt ends long before this time unless its machine has died. */
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
    /** Counts from 1, across redeliveries. */
    attempt: integer().notNull(),
    tenant_id: text().notNull(),
    at: text().notNull(),
    /** HTTP status; null without an answer, when `error` gives the reason. */
    status: integer(),
    error: text(),
    duration_ms: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.delivery_id, table.attempt] })],
);

/** Waiting calls that were announced by a webhook, so that each is announced once per kind. */
export const webhookAnnouncements = sqliteTable(
  "webhook_announcements",
  {
    tenant_id: text().notNull(),
    session_id: text().notNull(),
    tool_call_id: text().notNull(),
    kind: text({ enum: ["permission", "external_result"] }).notNull(),
    /** The number of the outbox entry that announced the call. */
    entry: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.session_id, table.tool_call_id, table.kind] })],
);

/** Endpoints to which a tenant's systems post signed events; each has its own secret. */
export const inboundEndpoints = sqliteTable(
  "inbound_endpoints",
  {
    ...tenantRow,
    name: text().notNull(),
    sealed: text().$type<SealedSecret>().notNull(),
    old_sealed: text().$type<SealedSecret>(),
    old_secret_expires_at: text(),
    created_at: text().notNull(),
  },
  (table) => [index("inbound_endpoints_tenant").on(table.tenant_id, table.id)],
);

/** Accepted webhook ids, kept for as long as their signatures are valid: protection against replays. */
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
