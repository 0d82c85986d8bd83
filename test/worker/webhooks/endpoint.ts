// A tenant with an endpoint on the receiver, a queue that keeps what it is given, and a clock that a test can move.
import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { inject } from "vitest";

import type { ReadWebhookDelivery } from "../../../protocol/webhooks/webhook-deliveries.ts";
import type {
  CreatedWebhookEndpoint,
  WebhookEndpoint,
} from "../../../protocol/webhooks/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { WebhookEvent } from "../../../protocol/webhooks/webhook-events.ts";
import { stableId } from "../../../storage/statements/stable-id.ts";
import type { WebhookJob } from "../../../storage/webhooks/webhook-job.ts";
import { publishWebhooks } from "../../../storage/webhooks/webhook-publisher.ts";
import { queue } from "../../../worker/jobs/queue.ts";
import { scheduled } from "../../../worker/jobs/sweep.ts";
import type { Call } from "../support/api.ts";
import { ask, makeTenant } from "../support/api.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of `test/support/provide-webhook-receiver.ts`; without a slash at its end. */
    readonly webhookReceiverUrl: string;
  }
}

/** The platform's queue without its consumer: a test says when a job comes back. */
export class HeldQueue {
  /** Oldest first; taken out by the test. */
  sent: { readonly job: WebhookJob; readonly delaySeconds: number }[] = [];
  isDown = false;

  get binding(): Queue<WebhookJob> {
    return {
      send: async (job: WebhookJob, { delaySeconds = 0 } = {}) => {
        if (this.isDown) throw new Error("the queue is down");
        this.sent.push({ job, delaySeconds });
      },
      sendBatch: async (messages: Iterable<MessageSendRequest<WebhookJob>>) => {
        if (this.isDown) throw new Error("the queue is down");
        for (const { body } of messages) this.sent.push({ job: body, delaySeconds: 0 });
      },
    } as unknown as Queue<WebhookJob>;
  }

  /** All jobs so far, which the queue then no longer has. */
  take(): readonly WebhookJob[] {
    return this.sent.splice(0).map(({ job }) => job);
  }
}

/** Of all tenants: a sweep finds whatever a test before has left. */
export async function clearWebhooks(): Promise<void> {
  await env.DB.batch(
    [
      "DELETE FROM webhook_deliveries",
      "DELETE FROM webhook_endpoints",
      "DELETE FROM webhook_leases",
      "UPDATE sessions SET removal_due_at = NULL",
    ].map((statement) => env.DB.prepare(statement)),
  );
}

export async function makeShop(endpoint: object = {}) {
  const tenant = await makeTenant();
  const held = new HeldQueue();
  const bindings = { ...env, WEBHOOK_QUEUE: held.binding };
  const shop = {
    tenantId: tenant.id,
    call: tenant.call,
    held,
    bindings,
    endpoint: await makeEndpoint(tenant.call, endpoint),
    /** Publishes an event of its own. */
    async publish(what = "1"): Promise<void> {
      const id = await stableId("whm", Date.now(), `${tenant.id}:${what}`);
      await publishWebhooks(bindings, tenant.id, [{ id, event: sessionEvent(what) }]);
    },
    /** Gives the consumer these jobs in one batch. @returns what it did with each, when their attempts are over. */
    consume: (jobs: readonly WebhookJob[], changes: Partial<Env> = {}) =>
      consume(jobs, { ...bindings, ...changes }),
    /** The work of cron in every minute, of all tenants; the jobs are kept. */
    sweep: (cron = "* * * * *") => scheduled({ cron }, bindings),
    /** Makes whatever is pending due, and whatever is under way dead. */
    async letTimePass(): Promise<void> {
      await env.DB.batch(
        [
          `UPDATE webhook_deliveries SET next_attempt_at = '2020-01-01T00:00:00.000Z'
           WHERE tenant_id = ? AND status = 'pending'`,
          `UPDATE webhook_deliveries SET overdue_at = next_attempt_at
           WHERE tenant_id = ? AND overdue_at IS NOT NULL`,
          "UPDATE webhook_leases SET expires_at = '2020-01-01T00:00:00.000Z' WHERE tenant_id = ?",
          `UPDATE webhook_endpoints SET circuit_retry_at = '2020-01-01T00:00:00.000Z'
           WHERE tenant_id = ? AND circuit_retry_at IS NOT NULL`,
        ].map((statement) => env.DB.prepare(statement).bind(tenant.id)),
      );
    },
  };
  return shop;
}
export type Shop = Awaited<ReturnType<typeof makeShop>>;

function sessionEvent(what: string): WebhookEvent {
  return {
    type: "session.created",
    timestamp: new Date().toISOString(),
    data: { session_id: `ses_${what}`, agent_id: "agt_1", end_user_id: null },
  };
}

/** An address of the receiver that nobody else posts to. */
export function receiverPath(answers = "200"): string {
  return `/${crypto.randomUUID()}/${answers}`;
}

export async function makeEndpoint(
  call: Call,
  changes: object = {},
): Promise<CreatedWebhookEndpoint> {
  const json = { url: inject("webhookReceiverUrl") + receiverPath(), events: ["*"], ...changes };
  const answer = await ask<CreatedWebhookEndpoint>("POST", "/v1/webhook-endpoints", {
    ...call,
    json,
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json;
}

export async function readEndpoint(call: Call, id: string): Promise<WebhookEndpoint> {
  return (await ask<WebhookEndpoint>("GET", `/v1/webhook-endpoints/${id}`, call)).json;
}

/** An endpoint's deliveries with their attempts, newest first. */
export async function readDeliveries(
  call: Call,
  endpointId: string,
): Promise<readonly ReadWebhookDelivery[]> {
  const path = `/v1/webhook-endpoints/${endpointId}/deliveries`;
  const { json } = await ask<Page<{ id: string }>>("GET", path, call);
  return Promise.all(
    json.data.map(
      async ({ id }) => (await ask<ReadWebhookDelivery>("GET", `${path}/${id}`, call)).json,
    ),
  );
}

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: WebhookEvent;
}

/** Requests that the receiver got at an address, oldest first. */
export async function receivedAt(url: string): Promise<readonly Received[]> {
  return (await fetch(url)).json();
}

async function consume(jobs: readonly WebhookJob[], bindings: Env) {
  const batch = createMessageBatch<WebhookJob>(
    "reprise-webhooks",
    jobs.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body })),
  );
  const retried: (number | undefined)[] = [];
  for (const message of batch.messages) {
    const retry = message.retry.bind(message);
    // The result of a batch does not tell the delays.
    Object.assign(message, {
      retry(options?: QueueRetryOptions) {
        retried.push(options?.delaySeconds);
        retry(options);
      },
    });
  }
  const context = createExecutionContext();
  await queue(batch, bindings, context);
  const { explicitAcks } = await getQueueResult(batch, context);
  await waitOnExecutionContext(context);
  return { acked: explicitAcks.length, retried };
}
