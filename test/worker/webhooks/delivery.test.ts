// The consumer of the queue: what it sends, what it makes of the answer, and what it does with a job given twice.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";

import { WEBHOOK_FAILING_MS, WEBHOOK_LEASE_MS } from "../../../protocol/webhooks/limits.ts";
import { claimDelivery } from "../../../storage/webhooks/claim-delivery.ts";
import { parseWebhookSecret, signWebhook } from "../../../webhooks/webhook-signature.ts";
import { hearLog } from "../../support/hear-log.ts";
import { ask } from "../support/api.ts";
import type { Shop } from "./endpoint.ts";
import {
  makeEndpoint,
  makeShop,
  readDeliveries,
  readEndpoint,
  receivedAt,
  receiverPath,
} from "./endpoint.ts";
beforeEach(() => void hearLog());

function answering(answers: string): { url: string } {
  return { url: inject("webhookReceiverUrl") + receiverPath(answers) };
}

/** Publishes a message and has its first attempt made. */
async function attemptOne(shop: Shop) {
  await shop.publish();
  return shop.consume(shop.held.take());
}

async function onlyDelivery(shop: Shop) {
  const deliveries = await readDeliveries(shop.call, shop.endpoint.id);
  expect(deliveries.length).toBe(1);
  return deliveries[0]!;
}

/** The parts of a delivery that an attempt changes. */
function stateOf({
  status,
  attempt_count,
  next_attempt_at,
  finished_at,
  attempts,
}: Awaited<ReturnType<typeof onlyDelivery>>) {
  return {
    status,
    attempt_count,
    isDue: next_attempt_at !== null,
    isFinished: finished_at !== null,
    attempts: attempts.map((attempt) => [attempt.attempt, attempt.status, attempt.error]),
  };
}

describe("an attempt", () => {
  test("posts the stored body, signed, and is over with a 2xx", async () => {
    const shop = await makeShop(answering("204"));

    const result = await attemptOne(shop);

    const [post, ...more] = await receivedAt(shop.endpoint.url);
    const { "webhook-id": id, "webhook-timestamp": timestamp, ...headers } = post!.headers;
    const keys = parseWebhookSecret(shop.endpoint.secret)!;
    const signed = { id: id!, timestamp: Number(timestamp), body: post!.text };
    expect([result, more, headers["webhook-signature"], headers["content-type"]]).toEqual([
      { acked: 1, retried: [] },
      [],
      await signWebhook(keys, signed),
      "application/json",
    ]);
    const delivery = await onlyDelivery(shop);
    expect([delivery.message_id, delivery.payload]).toEqual([id, post!.body]);
    expect([stateOf(delivery), shop.held.sent]).toEqual([
      {
        status: "delivered",
        attempt_count: 1,
        isDue: false,
        isFinished: true,
        attempts: [[1, 204, null]],
      },
      [],
    ]);
  });

  test.each([
    ["500", 500, "answered 500"],
    ["429", 429, "answered 429"],
    ["404", 404, "answered 404"],
    ["302", 302, "answered 302: redirects are not followed"],
  ])(
    "that is answered with %s is made again after about five seconds",
    async (answer, status, error) => {
      const shop = await makeShop(answering(answer));

      await attemptOne(shop);

      expect(stateOf(await onlyDelivery(shop))).toEqual({
        status: "pending",
        attempt_count: 1,
        isDue: true,
        isFinished: false,
        attempts: [[1, status, error]],
      });
      const [next] = shop.held.sent;
      expect([shop.held.sent.length, next!.job.attempt]).toEqual([1, 2]);
      expect(next!.delaySeconds).toBeGreaterThanOrEqual(4);
      expect(next!.delaySeconds).toBeLessThanOrEqual(5);
      expect(await receivedAt(`${inject("webhookReceiverUrl")}/elsewhere/200`)).toEqual([]);
    },
  );

  test("to which nobody listens is made again", async () => {
    const shop = await makeShop({ url: "http://127.0.0.1:1/" });

    await attemptOne(shop);

    expect(stateOf(await onlyDelivery(shop))).toMatchObject({
      status: "pending",
      attempts: [[1, null, "the connection failed"]],
    });
  });

  test("waits as long as Retry-After asks for, a day at most", async () => {
    const shops = await Promise.all(
      ["120", "9999999", "1"].map((seconds) =>
        makeShop({ url: `${answering("503").url}?retry-after=${seconds}` }),
      ),
    );

    for (const shop of shops) await attemptOne(shop);

    const [long, tooLong, short] = shops.map(({ held }) => held.sent[0]!.delaySeconds);
    expect([long, tooLong]).toEqual([120, 86_400]);
    expect(short).toBeGreaterThanOrEqual(4);
  });

  test("follows the schedule to its end and then fails", async () => {
    const shop = await makeShop(answering("500"));
    await shop.publish();
    const delays = [];

    for (let [job] = shop.held.take(); job;) {
      await shop.letTimePass();
      await shop.consume([job]);
      delays.push(...shop.held.sent.map(({ delaySeconds }) => delaySeconds));
      [job] = shop.held.take();
    }

    const nominal = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(
      delays
        .map((delay, index) => delay / nominal[index]!)
        .every((part) => part >= 0.79 && part <= 1),
    ).toBe(true);
    expect(delays.length).toBe(nominal.length);
    const { attempts, ...state } = stateOf(await onlyDelivery(shop));
    expect([state, attempts.length]).toEqual([
      { status: "failed", attempt_count: 10, isDue: false, isFinished: true },
      10,
    ]);
    expect(await receivedAt(shop.endpoint.url)).toHaveLength(10);
  });

  test("has the same id and body each time, and a signature of its own time", async () => {
    const shop = await makeShop(answering("500,200"));
    await attemptOne(shop);
    await shop.letTimePass();

    await shop.consume(shop.held.take());

    const posts = await receivedAt(shop.endpoint.url);
    expect(posts.map(({ text }) => text)).toEqual([posts[0]!.text, posts[0]!.text]);
    expect(new Set(posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(stateOf(await onlyDelivery(shop))).toMatchObject({
      status: "delivered",
      attempts: [
        [1, 500, "answered 500"],
        [2, 200, null],
      ],
    });
  });
});

describe("a job", () => {
  test("that the queue gives several times makes one attempt", async () => {
    const shop = await makeShop();
    await shop.publish();
    const [job] = shop.held.take();

    const together = await shop.consume([job!, job!, job!]);
    const later = await shop.consume([job!]);

    expect(await receivedAt(shop.endpoint.url)).toHaveLength(1);
    expect([together.acked + together.retried.length, later]).toEqual([
      3,
      { acked: 1, retried: [] },
    ]);
  });

  test("of an attempt that was made sees to it that the next one is in the queue", async () => {
    const shop = await makeShop(answering("500"));
    await shop.publish();
    const [job] = shop.held.take();
    shop.held.isDown = true;
    const failed = await shop.consume([job!]);
    shop.held.isDown = false;
    const again = await shop.consume([job!]);

    const done = { acked: 1, retried: [] };
    expect([failed, again]).toEqual([done, done]);
    expect(shop.held.take()).toEqual([{ ...job, attempt: 2 }]);
    expect(await receivedAt(shop.endpoint.url)).toHaveLength(1);
  });

  test("whose machine died is made when its lease is over, and not before", async () => {
    const shop = await makeShop();
    await shop.publish();
    const [job] = shop.held.take();
    await claimDelivery(env.DB, job!, Date.now());

    const early = await shop.consume([job!]);
    await shop.letTimePass();
    const late = await shop.consume([job!]);

    expect(early.acked).toBe(0);
    expect(early.retried[0]).toBeGreaterThan(WEBHOOK_LEASE_MS / 1_000 - 10);
    expect(late).toEqual({ acked: 1, retried: [] });
    expect(stateOf(await onlyDelivery(shop))).toMatchObject({
      status: "delivered",
      attempts: [[1, 200, null]],
    });
  });

  test("that comes too early waits", async () => {
    const shop = await makeShop(answering("500"));
    await attemptOne(shop);

    const early = await shop.consume(shop.held.take());

    expect([early.acked, early.retried.length]).toEqual([0, 1]);
    expect(await receivedAt(shop.endpoint.url)).toHaveLength(1);
  });

  test("comes back when D1 is down", async () => {
    const shop = await makeShop();
    await shop.publish();
    const jobs = shop.held.take();
    const down = new Proxy(env.DB, {
      get() {
        throw new Error("D1_ERROR: Network connection lost.");
      },
    });

    const whileDown = await shop.consume(jobs, { DB: down });
    const after = await shop.consume(jobs);

    expect([whileDown, after]).toEqual([
      { acked: 0, retried: [30] },
      { acked: 1, retried: [] },
    ]);
    expect(await receivedAt(shop.endpoint.url)).toHaveLength(1);
  });

  test("of an endpoint that was removed or disabled sends nothing", async () => {
    const [removed, disabled] = [await makeShop(), await makeShop()];
    for (const shop of [removed, disabled]) await shop.publish();
    await ask("DELETE", `/v1/webhook-endpoints/${removed.endpoint.id}`, removed.call);
    await env.DB.prepare("UPDATE webhook_endpoints SET disabled_at = created_at WHERE id = ?")
      .bind(disabled.endpoint.id)
      .run();

    const results = [
      await removed.consume(removed.held.take()),
      await disabled.consume(disabled.held.take()),
    ];

    const over = { acked: 1, retried: [] };
    expect(results).toEqual([over, over]);
    expect(await receivedAt(removed.endpoint.url)).toEqual([]);
    expect(await receivedAt(disabled.endpoint.url)).toEqual([]);
    expect(stateOf(await onlyDelivery(disabled))).toEqual({
      status: "failed",
      attempt_count: 0,
      isDue: false,
      isFinished: true,
      attempts: [],
    });
  });
});

describe("an endpoint", () => {
  test("that is gone is disabled at once, with all that waited for it, and the others are told", async () => {
    const shop = await makeShop({ ...answering("410"), events: ["session.*"] });
    const other = await makeEndpoint(shop.call, { events: ["webhook_endpoint.disabled"] });
    await shop.publish("1");
    await shop.publish("2");
    const [first] = shop.held.take();

    await shop.consume([first!]);

    const endpoint = await readEndpoint(shop.call, shop.endpoint.id);
    expect(endpoint).toMatchObject({ disabled: true, disabled_reason: "gone" });
    const deliveries = await readDeliveries(shop.call, shop.endpoint.id);
    expect(deliveries.map(({ status }) => status)).toEqual(["failed", "failed"]);
    const told = await readDeliveries(shop.call, other.id);
    expect(told.map(({ payload }) => payload)).toEqual([
      {
        type: "webhook_endpoint.disabled",
        timestamp: endpoint.disabled_at,
        data: {
          endpoint_id: shop.endpoint.id,
          reason: "gone",
          disabled_at: endpoint.disabled_at,
        },
      },
    ]);
    expect(shop.held.take().map(({ delivery_id }) => delivery_id)).toEqual([told[0]!.id]);
  });

  test("that was disabled while the queue took nothing is told of when its job comes again", async () => {
    const shop = await makeShop({ ...answering("410"), events: ["session.*"] });
    const other = await makeEndpoint(shop.call, { events: ["webhook_endpoint.disabled"] });
    await shop.publish();
    const jobs = shop.held.take();
    shop.held.isDown = true;
    const failed = await shop.consume(jobs);
    shop.held.isDown = false;
    const again = await shop.consume(jobs);
    expect([failed.acked, again.acked]).toEqual([1, 1]);
    const told = await readDeliveries(shop.call, other.id);
    expect(told.map(({ type }) => type)).toEqual(["webhook_endpoint.disabled"]);
    expect(shop.held.take().map(({ delivery_id }) => delivery_id)).toEqual([told[0]!.id]);
    expect((await receivedAt(shop.endpoint.url)).length).toBe(1);
  });

  test("at which nothing has arrived for five days is disabled, and not before", async () => {
    const seen = [];
    for (const failingMs of [WEBHOOK_FAILING_MS - 60_000, WEBHOOK_FAILING_MS + 60_000]) {
      const shop = await makeShop(answering("500"));
      await env.DB.prepare("UPDATE webhook_endpoints SET failing_since = ? WHERE id = ?")
        .bind(new Date(Date.now() - failingMs).toISOString(), shop.endpoint.id)
        .run();
      await attemptOne(shop);
      const { disabled, disabled_reason } = await readEndpoint(shop.call, shop.endpoint.id);
      const { status } = await onlyDelivery(shop);
      seen.push({ disabled, disabled_reason, status, jobs: shop.held.sent.length });
    }

    expect(seen).toEqual([
      { disabled: false, disabled_reason: null, status: "pending", jobs: 1 },
      { disabled: true, disabled_reason: "failing", status: "failed", jobs: 0 },
    ]);
  });

  test("is failing since the first failure, until something arrives", async () => {
    const shop = await makeShop(answering("500,500,200"));
    const seen = [];

    await shop.publish();
    for (let round = 0; round < 3; round += 1) {
      await shop.letTimePass();
      await shop.consume(shop.held.take());
      seen.push((await readEndpoint(shop.call, shop.endpoint.id)).failing_since);
    }

    const [first] = (await onlyDelivery(shop)).attempts;
    expect(seen).toEqual([first!.at, first!.at, null]);
  });

  test("gets two signatures while a rotated secret overlaps, and then one", async () => {
    const shop = await makeShop();
    const path = `/v1/webhook-endpoints/${shop.endpoint.id}/rotate-secret`;
    const { json: rotated } = await ask<{ secret: string }>("POST", path, {
      ...shop.call,
      json: {},
    });
    await attemptOne(shop);
    await env.DB.prepare(
      "UPDATE webhook_endpoints SET old_secret_expires_at = created_at WHERE id = ?",
    )
      .bind(shop.endpoint.id)
      .run();
    await shop.publish("2");
    await shop.consume(shop.held.take());

    const expected = [];
    const posts = await receivedAt(shop.endpoint.url);
    for (const [index, secrets] of [
      [rotated.secret, shop.endpoint.secret],
      [rotated.secret],
    ].entries()) {
      const { headers, text: body } = posts[index]!;
      const keys = parseWebhookSecret(secrets.join(" "))!;
      const timestamp = Number(headers["webhook-timestamp"]);
      expected.push(await signWebhook(keys, { id: headers["webhook-id"]!, timestamp, body }));
    }
    expect(posts.map(({ headers }) => headers["webhook-signature"])).toEqual(expected);
  });
});
