// From an event to a delivery for each endpoint that wants it, and into the queue. D1 first: what the queue loses,
// or what could not be given to it, is found in D1 again.
import { MAX_OVERDUE_DELIVERIES, WEBHOOK_OVERDUE_MS } from "../protocol/limits-webhooks.ts";
import type { WebhookEvent, WebhookEventType } from "../protocol/webhook-events.ts";
import { matchesWebhookFilter } from "../protocol/webhook-filter.ts";
import { stableId } from "./stable-id.ts";
import type { WebhookJob } from "./webhook-job.ts";

/** Messages that the queue takes at once. */
const MAX_QUEUE_BATCH = 100;

export interface WebhookMessage {
  /** The `webhook-id`. The same event has the same id, however often it is published. */
  readonly id: string;
  readonly event: WebhookEvent;
}

export type WebhookBindings = Pick<Env, "DB" | "WEBHOOK_QUEUE">;

interface OpenEndpoint {
  readonly id: string;
  readonly events: readonly string[];
}

/** The tenant's enabled endpoints: one query, and for most tenants the only one. */
export async function findOpenEndpoints(
  database: D1Database,
  tenantId: string,
): Promise<readonly OpenEndpoint[]> {
  const { results } = await database
    .prepare(
      "SELECT id, events FROM webhook_endpoints WHERE tenant_id = ?1 AND disabled_at IS NULL",
    )
    .bind(tenantId)
    .all<{ id: string; events: string }>();
  return results.map(({ id, events }) => ({ id, events: JSON.parse(events) as string[] }));
}

export function isWanted(endpoints: readonly OpenEndpoint[], type: WebhookEventType): boolean {
  return endpoints.some(({ events }) => matchesWebhookFilter(events, type));
}

/** Publishes to the tenant's endpoints that want it. Publishing a message again changes nothing. */
export async function publishWebhooks(
  env: WebhookBindings,
  tenantId: string,
  messages: readonly WebhookMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await publishTo(await findOpenEndpoints(env.DB, tenantId), env, tenantId, messages);
}

/**
 * Publishes to those of `endpoints` that want it.
 * @throws when D1 or the queue fails; the same call again makes up for it.
 */
export async function publishTo(
  endpoints: readonly OpenEndpoint[],
  env: WebhookBindings,
  tenantId: string,
  messages: readonly WebhookMessage[],
): Promise<void> {
  const now = new Date().toISOString();
  const wanted = messages.flatMap((message) =>
    endpoints
      .filter(({ events }) => matchesWebhookFilter(events, message.event.type))
      .map(({ id: endpointId }) => ({
        endpointId,
        message,
        payload: JSON.stringify(message.event),
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
      ),
    ),
    env.DB.prepare(UNATTEMPTED).bind(tenantId, JSON.stringify(deliveries.map(({ id }) => id))),
    overdue(env.DB, tenantId),
  ]);
  await enqueue(
    env.WEBHOOK_QUEUE,
    results.slice(-2).flatMap((result) => result.results),
    tenantId,
  );
}

/** Gives the queue again what it has lost. */
export async function resendOverdue(env: WebhookBindings, tenantId: string): Promise<void> {
  const { results } = await overdue(env.DB, tenantId).all<DueDelivery>();
  await enqueue(env.WEBHOOK_QUEUE, results, tenantId);
}

interface DueDelivery {
  readonly id: string;
  readonly attempts: number;
}

/** An endpoint that was disabled or removed meanwhile gets no row. */
const INSERT = `INSERT OR IGNORE INTO webhook_deliveries (id, tenant_id, endpoint_id, message_id, type,
  payload, status, attempts, next_attempt_at, created_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, 'pending', 0, ?7, ?7 FROM webhook_endpoints
  WHERE id = ?3 AND tenant_id = ?2 AND disabled_at IS NULL`;

const UNATTEMPTED = `SELECT id, attempts FROM webhook_deliveries
  WHERE tenant_id = ?1 AND id IN (SELECT value FROM json_each(?2))
  AND status = 'pending' AND attempts = 0`;

const OVERDUE = `SELECT id, attempts FROM webhook_deliveries
  WHERE tenant_id = ?1 AND status = 'pending' AND next_attempt_at < ?2
  ORDER BY next_attempt_at LIMIT ${MAX_OVERDUE_DELIVERIES}`;

function overdue(database: D1Database, tenantId: string): D1PreparedStatement {
  const before = new Date(Date.now() - WEBHOOK_OVERDUE_MS).toISOString();
  return database.prepare(OVERDUE).bind(tenantId, before);
}

async function enqueue(
  queue: Queue<WebhookJob>,
  due: readonly DueDelivery[],
  tenantId: string,
): Promise<void> {
  const attempts = new Map(due.map(({ id, attempts: made }) => [id, made + 1]));
  const jobs = [...attempts].map(([delivery_id, attempt]) => ({
    body: { tenant_id: tenantId, delivery_id, attempt },
  }));
  for (let start = 0; start < jobs.length; start += MAX_QUEUE_BATCH) {
    // One batch is the usual case.
    // oxlint-disable-next-line no-await-in-loop
    await queue.sendBatch(jobs.slice(start, start + MAX_QUEUE_BATCH));
  }
}
