// Publishes an event: writes a delivery to D1 for each endpoint subscribed to it, then enqueues the jobs. D1 comes
// first, because the cron sweep finds there what the queue loses.
import type { CallbackVerb } from "../../protocol/webhooks/contract.ts";
import { MAX_QUEUE_BATCH } from "../../protocol/operator/limits.ts";
import type { WebhookEvent, WebhookEventType } from "../../protocol/webhooks/webhook-events.ts";
import { matchesWebhookFilter } from "../../protocol/webhooks/webhook-filter.ts";
import { stableId } from "../statements/stable-id.ts";
import { type DueDelivery, jobsOf, overdueAfter } from "./webhook-leases.ts";

export interface WebhookMessage {
  /** The `webhook-id`; the same whenever the event is published again. */
  readonly id: string;
  readonly event: WebhookEvent;
  /** The event with the secrets that this endpoint may have; without it all endpoints get `event`. */
  readonly eventFor?: (endpoint: EndpointRights) => WebhookEvent;
}

export type WebhookBindings = Pick<Env, "DB" | "WEBHOOK_QUEUE">;

/** Secrets that messages to an endpoint may have. */
interface EndpointRights {
  readonly callback_verbs: readonly CallbackVerb[];
  readonly member_links: boolean;
}

export interface OpenEndpoint extends EndpointRights {
  readonly id: string;
  readonly events: readonly string[];
}

/** A row of {@link openEndpointsQuery}. */
export interface EndpointRow {
  readonly id: string;
  readonly events: string;
  readonly callback_verbs: string;
  /** 1 or 0. */
  readonly member_links: number;
}

/** The tenant's enabled endpoints, for a batch: {@link readOpenEndpoints} reads its rows. */
export function openEndpointsQuery(database: D1Database, tenantId: string): D1PreparedStatement {
  return database
    .prepare(
      "SELECT id, events, callback_verbs, member_links FROM webhook_endpoints WHERE tenant_id = ?1 AND disabled_at IS NULL",
    )
    .bind(tenantId);
}

export function readOpenEndpoints(rows: readonly EndpointRow[]): readonly OpenEndpoint[] {
  return rows.map(({ id, events, callback_verbs, member_links }) => ({
    id,
    events: JSON.parse(events) as string[],
    callback_verbs: JSON.parse(callback_verbs) as CallbackVerb[],
    member_links: member_links === 1,
  }));
}

export function isWanted(endpoints: readonly OpenEndpoint[], type: WebhookEventType): boolean {
  return endpoints.some(({ events }) => matchesWebhookFilter(events, type));
}

/** Publishes to the tenant's endpoints that are subscribed. One query where there are none. Idempotent per message id. */
export async function publishWebhooks(
  env: WebhookBindings,
  tenantId: string,
  messages: readonly WebhookMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const { results } = await openEndpointsQuery(env.DB, tenantId).all<EndpointRow>();
  await publishTo(readOpenEndpoints(results), env, tenantId, messages);
}

/**
 * Publishes to those of `endpoints` that are subscribed.
 * @throws when D1 or the queue fails; repeating the call is safe.
 */
export async function publishTo(
  endpoints: readonly OpenEndpoint[],
  env: WebhookBindings,
  tenantId: string,
  messages: readonly WebhookMessage[],
): Promise<void> {
  const nowMs = Date.now();
  const now = new Date(nowMs).toISOString();
  const wanted = messages.flatMap((message) =>
    endpoints
      .filter(({ events }) => matchesWebhookFilter(events, message.event.type))
      .map((endpoint) => ({
        endpointId: endpoint.id,
        message,
        payload: JSON.stringify(message.eventFor?.(endpoint) ?? message.event),
      })),
  );
  if (wanted.length === 0) return;
  const deliveries = await Promise.all(
    wanted.map(async ({ endpointId, message, payload }) => ({
      id: await stableId("whd", Date.parse(message.event.timestamp), `${endpointId}:${message.id}`),
      endpointId,
      message,
      payload,
    })),
  );
  const results = await env.DB.batch<DueDelivery>([
    ...deliveries.map(({ id, endpointId, message, payload }) =>
      env.DB.prepare(INSERT).bind(
        id,
        tenantId,
        endpointId,
        message.id,
        message.event.type,
        payload,
        now,
        overdueAfter(nowMs),
      ),
    ),
    env.DB.prepare(UNATTEMPTED).bind(tenantId, JSON.stringify(deliveries.map(({ id }) => id))),
  ]);
  await sendJobs(env.WEBHOOK_QUEUE, jobsOf(tenantId, results.at(-1)?.results ?? []));
}

/** Enqueues the jobs, in batches of the queue's maximum size. */
export async function sendJobs<Job>(queue: Queue<Job>, jobs: readonly Job[]): Promise<void> {
  for (let start = 0; start < jobs.length; start += MAX_QUEUE_BATCH) {
    const batch = jobs.slice(start, start + MAX_QUEUE_BATCH).map((body) => ({ body }));
    // One batch is the usual case.
    await queue.sendBatch(batch as MessageSendRequest<Job>[]);
  }
}

/**
 * An endpoint that was disabled or deleted meanwhile gets no row. If others wait for the same endpoint, the delivery
 * waits behind them, so that a tenant cannot fill the queue with jobs beyond its concurrency limit.
 */
const INSERT = `INSERT OR IGNORE INTO webhook_deliveries (id, tenant_id, endpoint_id, message_id, type,
  payload, status, attempts, next_attempt_at, waits, overdue_at, created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, 'pending', 0, ?7, waits, iif(waits, NULL, ?8), ?7 FROM (
    SELECT EXISTS (SELECT 1 FROM webhook_deliveries
      WHERE tenant_id = ?2 AND endpoint_id = ?3 AND waits = 1) AS waits
    FROM webhook_endpoints WHERE id = ?3 AND tenant_id = ?2 AND disabled_at IS NULL)`;

const UNATTEMPTED = `SELECT id, attempts FROM webhook_deliveries
  WHERE tenant_id = ?1 AND id IN (SELECT value FROM json_each(?2))
  AND status = 'pending' AND attempts = 0 AND waits = 0`;
