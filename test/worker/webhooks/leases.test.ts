// Attempts that are under way: of an endpoint, of a tenant. One that finds no place waits, and is let in by an end.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { MAX_ENDPOINT_ATTEMPTS, MAX_TENANT_ATTEMPTS } from "../../../protocol/webhooks/limits.ts";
import { claimDelivery, type ClaimedDelivery } from "../../../storage/webhooks/claim-delivery.ts";
import type { WebhookJob } from "../../../storage/webhooks/webhook-job.ts";
import { finishWebhook } from "../../../storage/webhooks/webhook-outcome.ts";
import { meteredDatabase } from "../requests/noted-database.ts";
import { ask } from "../support/api.ts";
import type { Shop } from "./endpoint.ts";
import { makeEndpoint, makeShop, readDeliveries, receivedAt } from "./endpoint.ts";

/** Publishes so many messages. @returns their jobs, a shop's endpoint each. */
async function publishMany(shop: Shop, count: number): Promise<readonly WebhookJob[]> {
  for (let made = 0; made < count; made += 1) await shop.publish(crypto.randomUUID());
  return shop.held.take();
}

/** Claims them one after the other, and leaves what is claimed under way. */
async function claimAll(jobs: readonly WebhookJob[]) {
  const kinds: string[] = [];
  const claimed: ClaimedDelivery[] = [];
  for (const job of jobs) {
    const claim = await claimDelivery(env.DB, job, Date.now());
    kinds.push(claim.kind);
    if (claim.kind === "claimed") claimed.push(claim.delivery);
  }
  return { kinds, claimed };
}

function finish(delivery: ClaimedDelivery, database = env.DB) {
  return finishWebhook(database, delivery, {
    at: new Date().toISOString(),
    duration_ms: 5,
    status: 200,
    error: null,
    next_attempt_at: null,
    isGone: false,
  });
}

function byDelivery(one: WebhookJob, other: WebhookJob): number {
  return one.delivery_id < other.delivery_id ? -1 : 1;
}

function times<Value>(count: number, value: Value): readonly Value[] {
  return Array.from({ length: count }, () => value);
}

describe("an endpoint", () => {
  test("has four attempts under way at most; what comes beyond waits without being attempted", async () => {
    const shop = await makeShop();
    const jobs = await publishMany(shop, MAX_ENDPOINT_ATTEMPTS + 2);

    const { kinds } = await claimAll(jobs);

    expect(kinds).toEqual([...times(MAX_ENDPOINT_ATTEMPTS, "claimed"), "waiting", "waiting"]);
    const counts = (await readDeliveries(shop.call, shop.endpoint.id)).map((delivery) => [
      delivery.status,
      delivery.attempt_count,
    ]);
    expect(counts.toSorted()).toEqual([
      ["pending", 0],
      ["pending", 0],
      ...times(MAX_ENDPOINT_ATTEMPTS, ["pending", 1]),
    ]);
    // A job that waits is done with: it comes back by the end of another, not by the queue.
    expect(await shop.consume(jobs.slice(-1))).toEqual({ acked: 1, retried: [] });
    expect(await receivedAt(shop.endpoint.url)).toEqual([]);
  });

  test("that an attempt ends at lets in those that have waited longest", async () => {
    const shop = await makeShop();
    const jobs = await publishMany(shop, MAX_ENDPOINT_ATTEMPTS + 3);
    const { claimed } = await claimAll(jobs);
    const [first, second, third] = jobs.slice(MAX_ENDPOINT_ATTEMPTS);

    const one = await finish(claimed[0]!);
    const others = await finish(claimed[1]!);

    expect([one.promoted, others.promoted.toSorted(byDelivery)]).toEqual([
      [first],
      [second!, third!].toSorted(byDelivery),
    ]);
  });

  test("for which others wait gets no further job: what is new waits behind them, whatever comes", async () => {
    const shop = await makeShop();
    await claimAll(await publishMany(shop, MAX_ENDPOINT_ATTEMPTS + 1));

    const more = await publishMany(shop, 5);

    expect(more).toEqual([]);
    const deliveries = await readDeliveries(shop.call, shop.endpoint.id);
    expect(deliveries.map(({ status }) => status)).toEqual(times(10, "pending"));
  });

  test("that answers gets all that waited, and a place is never held twice", async () => {
    const shop = await makeShop();
    const jobs = await publishMany(shop, 12);
    const { claimed } = await claimAll(jobs.slice(0, MAX_ENDPOINT_ATTEMPTS));
    await shop.consume(jobs.slice(MAX_ENDPOINT_ATTEMPTS));
    const before = await receivedAt(shop.endpoint.url);

    const { promoted } = await finish(claimed[0]!);
    await shop.consume(promoted);
    await shop.consume(shop.held.take());

    const statuses = (await readDeliveries(shop.call, shop.endpoint.id)).map((one) => one.status);
    expect([before, (await receivedAt(shop.endpoint.url)).length]).toEqual([[], 8]);
    expect(statuses.toSorted()).toEqual([...times(9, "delivered"), ...times(3, "pending")]);
  });

  test("frees no place by being disabled, removed or asked for a delivery again", async () => {
    const shop = await makeShop();
    const path = `/v1/webhook-endpoints/${shop.endpoint.id}`;
    await claimAll(await publishMany(shop, MAX_ENDPOINT_ATTEMPTS));
    const [underWay] = await readDeliveries(shop.call, shop.endpoint.id);

    const again = await ask("POST", `${path}/deliveries/${underWay!.id}/redeliver`, shop.call);
    for (const disabled of [true, false]) {
      await ask("PATCH", path, { ...shop.call, json: { disabled } });
    }
    const { kinds } = await claimAll(await publishMany(shop, 1));

    expect([again.status, again.json.code, kinds]).toEqual([409, "conflict", ["waiting"]]);
    await ask("DELETE", path, shop.call);
    const leases = "SELECT count(*) AS count FROM webhook_leases WHERE tenant_id = ?";
    const count = await env.DB.prepare(leases).bind(shop.tenantId).first("count");
    expect(count).toBe(MAX_ENDPOINT_ATTEMPTS);
  });

  test("gets a place back whose machine has died, when the lease is over", async () => {
    const shop = await makeShop();
    await claimAll(await publishMany(shop, MAX_ENDPOINT_ATTEMPTS));
    await shop.letTimePass();

    const { kinds } = await claimAll(await publishMany(shop, 1));

    expect(kinds).toEqual(["claimed"]);
  });
});

describe("a tenant", () => {
  test("has twenty attempts under way at most, and takes none of another's", async () => {
    const shop = await makeShop();
    for (let made = 1; made < 6; made += 1) await makeEndpoint(shop.call);
    const other = await makeShop();
    // Each goes to six endpoints.
    const jobs = await publishMany(shop, MAX_ENDPOINT_ATTEMPTS);

    const { kinds, claimed } = await claimAll(jobs);
    const ofOther = await claimAll(await publishMany(other, 1));

    expect(kinds).toEqual([
      ...times(MAX_TENANT_ATTEMPTS, "claimed"),
      ...times(jobs.length - MAX_TENANT_ATTEMPTS, "waiting"),
    ]);
    expect(ofOther.kinds).toEqual(["claimed"]);
    const { promoted } = await finish(claimed[0]!);
    expect(jobs.slice(MAX_TENANT_ATTEMPTS)).toContainEqual(promoted[0]);
    expect(promoted.length).toBe(1);
  });

  test("whose endpoint is busy has room for its others, and they come first", async () => {
    const shop = await makeShop();
    const busy = await claimAll(await publishMany(shop, MAX_ENDPOINT_ATTEMPTS + 3));
    const idle = await makeEndpoint(shop.call);
    await env.DB.prepare("UPDATE webhook_endpoints SET disabled_at = 'T' WHERE id = ?")
      .bind(shop.endpoint.id)
      .run();
    const [job] = await publishMany(shop, 1);
    await env.DB.batch([
      env.DB.prepare("UPDATE webhook_endpoints SET disabled_at = NULL WHERE id = ?").bind(
        shop.endpoint.id,
      ),
      env.DB.prepare("UPDATE webhook_deliveries SET waits = 1 WHERE endpoint_id = ?").bind(idle.id),
    ]);

    const { promoted } = await finish(busy.claimed[0]!);

    expect(promoted.length).toBe(2);
    expect(promoted).toContainEqual(job);
  });
});

describe("an attempt", () => {
  test("costs the same however much waits, and writes few rows", async () => {
    const shop = await makeShop();
    for (let made = 1; made < 10; made += 1) await makeEndpoint(shop.call, { disabled: true });
    const costs = [];
    for (const waiting of [0, 10, 200]) {
      await env.DB.prepare("DELETE FROM webhook_deliveries").run();
      const [job] = await publishMany(shop, 1);
      await env.DB.prepare(COPIES).bind(waiting, shop.endpoint.id).run();
      const metas: D1Meta[] = [];
      const database = meteredDatabase(metas);
      const claim = await claimDelivery(database, job!, Date.now());
      const before = metas.length;
      if (claim.kind === "claimed") await finish(claim.delivery, database);
      const sum = (part: readonly D1Meta[], name: "rows_read" | "rows_written") =>
        part.reduce((total, meta) => total + meta[name], 0);
      const [begun, ended] = [metas.slice(0, before), metas.slice(before)];
      costs.push({
        read: [sum(begun, "rows_read"), sum(ended, "rows_read")],
        written: [sum(begun, "rows_written"), sum(ended, "rows_written")],
      });
    }

    const written = costs.map((cost) => cost.written);
    const read = costs.map((cost) => cost.read);
    expect([read[2], written[2]]).toEqual([read[1], written[1]]);
    expect(Math.max(...read.flat())).toBeLessThan(100);
    expect(written).toEqual([
      [3, 5],
      [3, 9],
      [3, 9],
    ]);
  });
});

/** So many deliveries more that wait for the endpoint. */
const COPIES = `INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, message_id, type, payload,
  status, attempts, next_attempt_at, waits, created_at)
  SELECT 'whd_' || value, tenant_id, endpoint_id, 'whm_' || value, type, payload, 'pending', 0,
  created_at, 1, created_at FROM webhook_deliveries, (WITH RECURSIVE n(value) AS (SELECT 1
    UNION ALL SELECT value + 1 FROM n WHERE value < ?1) SELECT value FROM n WHERE value <= ?1)
  WHERE endpoint_id = ?2`;
