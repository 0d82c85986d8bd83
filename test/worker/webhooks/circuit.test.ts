// An endpoint's circuit: what opens it, what that spares, and what closes it.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";

import {
  CIRCUIT_FAILURES,
  CIRCUIT_RETRY_MS,
  MAX_CIRCUIT_RETRY_MS,
} from "../../../protocol/webhooks/limits.ts";
import { claimDelivery } from "../../../storage/webhooks/claim-delivery.ts";
import { ask } from "../support/api.ts";
import type { Shop } from "./endpoint.ts";
import {
  clearWebhooks,
  makeShop,
  readDeliveries,
  readEndpoint,
  receivedAt,
  receiverPath,
} from "./endpoint.ts";

beforeEach(clearWebhooks);

function answering(answers: string): { url: string } {
  return { url: inject("webhookReceiverUrl") + receiverPath(answers) };
}

/** Has so many messages attempted, one after the other; their retries are lost. */
async function attemptMany(shop: Shop, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await shop.publish(crypto.randomUUID());
    const jobs = shop.held.take();
    await shop.consume(jobs.slice(-1));
    shop.held.take();
  }
}

async function shownCircuit(shop: Shop) {
  const { circuit, circuit_retry_at } = await readEndpoint(shop.call, shop.endpoint.id);
  return [circuit, circuit_retry_at];
}

/** Lets the time come at which the circuit may be tried. */
async function letRetryCome(shop: Shop): Promise<void> {
  await env.DB.prepare("UPDATE webhook_endpoints SET circuit_retry_at = ? WHERE id = ?")
    .bind(new Date(Date.now() - 1).toISOString(), shop.endpoint.id)
    .run();
}

function statusesOf(shop: Shop) {
  return readDeliveries(shop.call, shop.endpoint.id).then((deliveries) =>
    deliveries.map(({ status, attempt_count }) => [status, attempt_count]).toSorted(),
  );
}

describe("a circuit", () => {
  test.each([
    ["no connection", { url: "http://127.0.0.1:1/" }, "open"],
    ["500", answering("500"), "open"],
    ["429", answering("429"), "open"],
    ["400, which says that the receiver is there", answering("400"), "closed"],
    ["302, which says that the receiver is there", answering("302"), "closed"],
  ])("after five attempts in a row with %s", async (_, endpoint, expected) => {
    const shop = await makeShop(endpoint);

    await attemptMany(shop, CIRCUIT_FAILURES - 1);
    const before = await shownCircuit(shop);
    await attemptMany(shop, 1);

    expect([before, (await shownCircuit(shop))[0]]).toEqual([["closed", null], expected]);
  });

  test("does not open for failures that something that arrives is between", async () => {
    const shop = await makeShop(answering("500,500,500,500,200,500,500,500,500"));

    await attemptMany(shop, 9);

    expect(await shownCircuit(shop)).toEqual(["closed", null]);
    expect(await receivedAt(shop.endpoint.url)).toHaveLength(9);
  });

  test("that is open puts deliveries off without an attempt, however many come", async () => {
    const shop = await makeShop(answering("500"));
    await attemptMany(shop, CIRCUIT_FAILURES);

    await attemptMany(shop, 3);

    expect(await receivedAt(shop.endpoint.url)).toHaveLength(CIRCUIT_FAILURES);
    expect((await statusesOf(shop)).slice(0, 3)).toEqual([
      ["pending", 0],
      ["pending", 0],
      ["pending", 0],
    ]);
  });

  test("whose time has come lets one attempt through, and with it all others when that arrives", async () => {
    const shop = await makeShop(answering("500,500,500,500,500,200"));
    await attemptMany(shop, CIRCUIT_FAILURES);
    await attemptMany(shop, 4);
    await letRetryCome(shop);
    const halfOpen = await shownCircuit(shop);

    await shop.sweep();
    const called = shop.held.take();
    await shop.consume(called);
    await shop.consume(shop.held.take());

    expect([halfOpen[0], called.length]).toEqual(["half_open", 1]);
    expect(await shownCircuit(shop)).toEqual(["closed", null]);
    const delivered = (await statusesOf(shop)).filter(([status]) => status === "delivered");
    expect(delivered).toEqual([1, 1, 1, 1].map((count) => ["delivered", count]));
  });

  test("that is half open has one attempt under way", async () => {
    const shop = await makeShop(answering("500"));
    await attemptMany(shop, CIRCUIT_FAILURES);
    await attemptMany(shop, 2);
    const waiting = (await readDeliveries(shop.call, shop.endpoint.id)).filter(
      ({ attempt_count: count }) => count === 0,
    );
    await letRetryCome(shop);

    const claims = [];
    for (const { id: delivery_id } of waiting) {
      const job = { tenant_id: shop.tenantId, delivery_id, attempt: 1 };
      claims.push((await claimDelivery(env.DB, job, Date.now())).kind);
    }

    expect(claims).toEqual(["claimed", "waiting"]);
  });

  test("whose trial fails stays open, each time for twice as long, a quarter of an hour at most", async () => {
    const shop = await makeShop(answering("500"));
    await attemptMany(shop, CIRCUIT_FAILURES);
    const waits = [];
    for (let tried = 0; tried < 6; tried += 1) {
      await shop.publish(crypto.randomUUID());
      await letRetryCome(shop);
      await shop.sweep();
      const before = Date.now();
      await shop.consume(shop.held.take());
      const [, retryAt] = await shownCircuit(shop);
      const after = Date.now();
      waits.push([Date.parse(retryAt!) - after, Date.parse(retryAt!) - before]);
      shop.held.take();
    }

    const expected = [2, 4, 8, 15, 15, 15].map((times) =>
      Math.min(times * CIRCUIT_RETRY_MS, MAX_CIRCUIT_RETRY_MS),
    );
    expect(
      waits.map(([least, most], index) => least! <= expected[index]! && expected[index]! <= most!),
    ).toEqual(expected.map(() => true));
  });

  test("is not put off by attempts that had begun before it opened", async () => {
    const shop = await makeShop(answering("500"));
    await attemptMany(shop, CIRCUIT_FAILURES - 1);
    for (let made = 0; made < 4; made += 1) await shop.publish(crypto.randomUUID());

    await shop.consume(shop.held.take());

    const row = await env.DB.prepare("SELECT circuit_failures FROM webhook_endpoints WHERE id = ?")
      .bind(shop.endpoint.id)
      .first();
    expect([row, (await shownCircuit(shop))[0]]).toEqual([
      { circuit_failures: CIRCUIT_FAILURES },
      "open",
    ]);
  });

  test("that is open lets a delivery through that somebody asks for, and closes when it arrives", async () => {
    const shop = await makeShop(answering("500,500,500,500,500,200"));
    await attemptMany(shop, CIRCUIT_FAILURES);
    const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
    const path = `/v1/webhook-endpoints/${shop.endpoint.id}/deliveries/${delivery!.id}/redeliver`;

    const asked = await ask("POST", path, { ...shop.call, bindings: shop.bindings });
    await shop.consume(shop.held.take());

    expect([asked.status, await shownCircuit(shop)]).toEqual([202, ["closed", null]]);
    expect(await receivedAt(shop.endpoint.url)).toHaveLength(CIRCUIT_FAILURES + 1);
  });

  test("that a new address closes lets in what has waited for it", async () => {
    const shop = await makeShop(answering("500"));
    await attemptMany(shop, CIRCUIT_FAILURES + 1);
    const path = `/v1/webhook-endpoints/${shop.endpoint.id}`;
    const { url } = answering("200");

    // Through the real queue.
    await ask("PATCH", path, { ...shop.call, json: { url } });

    await expect.poll(() => receivedAt(url)).toHaveLength(1);
  });

  test.each([{ url: `${inject("webhookReceiverUrl")}/new/200` }, { disabled: false }])(
    "is closed by a change of the endpoint: %j",
    async (json) => {
      const shop = await makeShop(answering("500"));
      await attemptMany(shop, CIRCUIT_FAILURES);

      const path = `/v1/webhook-endpoints/${shop.endpoint.id}`;
      const changed = await ask("PATCH", path, { ...shop.call, json });

      expect(changed.json).toMatchObject({ circuit: "closed", circuit_retry_at: null });
    },
  );

  test("leaves the schedule of what failed as it is", async () => {
    const shop = await makeShop(answering("500"));
    await attemptMany(shop, CIRCUIT_FAILURES);
    const before = await readDeliveries(shop.call, shop.endpoint.id);

    await shop.consume(
      before.map(({ id: delivery_id }) => ({ tenant_id: shop.tenantId, delivery_id, attempt: 2 })),
    );

    const after = await readDeliveries(shop.call, shop.endpoint.id);
    expect(after).toEqual(before);
  });
});
