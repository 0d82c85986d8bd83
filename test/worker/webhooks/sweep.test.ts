// Work that the queues have lost: the sweep finds it without any traffic, marks what it takes, and reads next to
// nothing else.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";

import { MAX_SWEPT_TENANTS, SWEEP_AT_START } from "../../../protocol/operator/limits.ts";
import { MAX_ENDPOINT_ATTEMPTS } from "../../../protocol/webhooks/limits.ts";
import { findWaitingTenants, markOverdue } from "../../../storage/webhooks/overdue-deliveries.ts";
import { takeUnfinishedRemovals } from "../../../storage/sessions/unfinished-removals.ts";
import { claimDelivery } from "../../../storage/webhooks/claim-delivery.ts";
import { findUnpublishedDisabled } from "../../../storage/webhooks/webhook-outcome.ts";
import { app } from "../../../worker/app.ts";
import { ask, openSession } from "../support/api.ts";
import { CALLS_THAT_HIDE, brokenDatabase } from "../support/broken-database.ts";
import type { Shop } from "./endpoint.ts";
import {
  clearWebhooks,
  HeldQueue,
  makeEndpoint,
  makeShop,
  readDeliveries,
  receivedAt,
  receiverPath,
} from "./endpoint.ts";
import { BROAD } from "../../support/breadth.ts";

beforeEach(async () => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
  await clearWebhooks();
});

async function publishMany(shop: Shop, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await shop.publish(crypto.randomUUID());
}

/** Gives the consumer what its queue holds, and what comes of that, until nothing is left. */
async function consumeAll(shop: Shop): Promise<void> {
  for (let jobs = shop.held.take(); jobs.length > 0; jobs = shop.held.take()) {
    await shop.consume(jobs);
  }
}

async function statesOf({ tenantId }: Shop) {
  const { results } = await env.DB.prepare(
    `SELECT status, waits, overdue_at IS NOT NULL AS has_job, count(*) AS count
     FROM webhook_deliveries WHERE tenant_id = ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  )
    .bind(tenantId)
    .all();
  return results;
}

describe("deliveries that the queue has lost", () => {
  test("are all delivered without any traffic, however many they are", BROAD, async () => {
    const shop = await makeShop();
    await publishMany(shop, 60);
    shop.held.take();
    await shop.letTimePass();

    await shop.sweep();
    const called = shop.held.sent.length;
    await consumeAll(shop);

    expect(called).toBe(MAX_ENDPOINT_ATTEMPTS);
    expect(await statesOf(shop)).toEqual([
      { status: "delivered", waits: 0, has_job: 0, count: 60 },
    ]);
    expect(await receivedAt(shop.endpoint.url)).toHaveLength(60);
  });

  test("are marked, so that the next page has others, and a sweep finds nothing twice", async () => {
    const shop = await makeShop();
    await publishMany(shop, 7);
    await shop.letTimePass();
    const page = { nowMs: Date.now(), most: 3 };

    const marked = [];
    for (let swept = 0; swept < 4; swept += 1) marked.push(await markOverdue(env.DB, page));

    expect(marked).toEqual([3, 3, 1, 0]);
    expect(await statesOf(shop)).toEqual([{ status: "pending", waits: 1, has_job: 0, count: 7 }]);
  });

  test("are not those whose job is on its way", async () => {
    const shop = await makeShop();
    await publishMany(shop, 3);
    shop.held.take();

    await shop.sweep();

    expect(shop.held.sent).toEqual([]);
  });

  test("are attempted again when the machine of an attempt has died, its lease being over", async () => {
    const shop = await makeShop();
    await publishMany(shop, 1);
    const [job] = shop.held.take();
    await claimDelivery(env.DB, job!, Date.now());
    await shop.sweep();
    const early = shop.held.take();
    await shop.letTimePass();

    await shop.sweep();
    const late = shop.held.take();
    await shop.consume(late);

    expect([early, late]).toEqual([[], [{ ...job, attempt: 2 }]]);
    expect(await receivedAt(shop.endpoint.url)).toHaveLength(1);
  });

  test("fail in the end when each attempt takes its machine with it", async () => {
    const shop = await makeShop();
    await publishMany(shop, 1);

    let attempts = 0;
    for (let [job] = shop.held.take(); job; [job] = shop.held.take()) {
      attempts += (await claimDelivery(env.DB, job, Date.now())).kind === "claimed" ? 1 : 0;
      await shop.letTimePass();
      await shop.sweep();
    }

    const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
    expect([attempts, delivery!.status, delivery!.attempts]).toEqual([10, "failed", []]);
  });

  test("of many tenants are found in steps, each of which hands over to the next", async () => {
    const shop = await makeShop();
    await publishMany(shop, 1);
    await env.DB.prepare(OF_MANY_TENANTS).bind(MAX_SWEPT_TENANTS).run();
    await shop.letTimePass();
    shop.held.take();

    await shop.sweep();
    const [step, ...others] = shop.held.take() as readonly unknown[];
    await shop.consume([step as never]);

    expect([step, others]).toEqual([{ kind: "walk", after: "ten_0050" }, []]);
    expect(shop.held.take().map(({ tenant_id }) => tenant_id)).toEqual([shop.tenantId]);
  });

  test("of a platform that has just begun are all that is due, whoever held them", async () => {
    const shop = await makeShop({ url: inject("webhookReceiverUrl") + receiverPath("500,200") });
    await publishMany(shop, MAX_ENDPOINT_ATTEMPTS + 3);
    const jobs = shop.held.take();
    await shop.consume(jobs.slice(0, 1));
    for (const job of jobs.slice(1)) await claimDelivery(env.DB, job, Date.now());
    shop.held.take();

    await shop.sweep(SWEEP_AT_START);
    await consumeAll(shop);
    const first = await statesOf(shop);
    await shop.letTimePass();
    await shop.sweep();
    await consumeAll(shop);

    // Failed deliveries are due a little later, and the sweep knows when.
    expect(first).toEqual([
      { status: "delivered", waits: 0, has_job: 0, count: MAX_ENDPOINT_ATTEMPTS + 2 },
      { status: "pending", waits: 0, has_job: 1, count: 1 },
    ]);
    expect(await statesOf(shop)).toEqual([
      { status: "delivered", waits: 0, has_job: 0, count: MAX_ENDPOINT_ATTEMPTS + 3 },
    ]);
  });
});

describe("a sweep", () => {
  test("that finds nothing reads next to nothing, however much is pending", async () => {
    const shop = await makeShop();
    await publishMany(shop, 40);
    await openSession();

    const read: number[] = [];
    const metered = new Proxy(env.DB, {
      get(target, name) {
        if (name === "prepare") return (query: string) => meter(target.prepare(query), read);
        const member = Reflect.get(target, name) as unknown;
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    await markOverdue(metered, { nowMs: Date.now(), most: 100 });
    await findWaitingTenants(metered, { after: "", most: 100 });
    await takeUnfinishedRemovals(metered, { nowMs: Date.now(), most: 100 });
    await findUnpublishedDisabled(metered, 100);

    expect(read.length).toBe(4);
    expect(Math.max(...read)).toBeLessThanOrEqual(4);
  });

  test("tells of an endpoint that was disabled when nobody could, once", async () => {
    const shop = await makeShop({
      url: inject("webhookReceiverUrl") + receiverPath("410"),
      events: ["session.*"],
    });
    const other = await makeEndpoint(shop.call, { events: ["webhook_endpoint.disabled"] });
    await publishMany(shop, 1);
    const [job] = shop.held.take();
    shop.held.isDown = true;
    await shop.consume([job!]);
    shop.held.isDown = false;

    await shop.sweep();
    const told = shop.held.take();
    await shop.sweep();

    const [delivery, ...more] = await readDeliveries(shop.call, other.id);
    expect(told.map(({ delivery_id }) => delivery_id)).toEqual([delivery!.id]);
    expect([more, shop.held.take()]).toEqual([[], []]);
  });

  test("finds a deletion that was cut off and whose job is lost, and later again while it is not done", async () => {
    const opened = await openSession();
    const { tenantId: tenant_id, session } = opened;
    const removals = new HeldQueue();
    const headers = { Authorization: `Bearer ${opened.call.key}` };
    await app.request(
      opened.path,
      { method: "DELETE", headers },
      { ...env, DB: brokenDatabase(CALLS_THAT_HIDE), REMOVAL_QUEUE: removals.binding as never },
    );
    const job = { kind: "session_removal", tenant_id, session_id: session.id };
    const now = Date.now();
    const seen = [];
    for (const afterMs of [0, 3_600_000, 3_600_000, 7_200_000]) {
      seen.push(await takeUnfinishedRemovals(env.DB, { nowMs: now + afterMs, most: 10 }));
    }

    expect([removals.take(), seen]).toEqual([[job], [[], [job], [], [job]]]);
    expect((await ask("GET", opened.path, opened.call)).status).toBe(404);
  });
});

/** A delivery that waits of each of so many tenants, whose ids come before any real one. */
const OF_MANY_TENANTS = `WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?1)
  INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, message_id, type, payload, status,
    attempts, waits, created_at)
  SELECT 'whd_' || value, printf('ten_%04d', value), 'whk_' || value, 'whm', 'session.created', '{}',
    'pending', 0, 1, 'T' FROM n`;

/** Notes how many rows a statement has read. */
function meter(statement: D1PreparedStatement, read: number[]): D1PreparedStatement {
  return new Proxy(statement, {
    get(target, name) {
      const member = Reflect.get(target, name) as (...values: unknown[]) => unknown;
      if (name === "bind") return (...values: unknown[]) => meter(target.bind(...values), read);
      return async (...values: unknown[]) => {
        const result = (await Reflect.apply(member, target, values)) as D1Result;
        read.push(result.meta.rows_read);
        return result;
      };
    },
  });
}
