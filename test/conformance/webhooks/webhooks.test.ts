// Outgoing webhooks over the real queue, with receivers on loopback and the standard's own library as their reader.
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ReadWebhookDelivery } from "../../../protocol/webhooks/webhook-deliveries.ts";
import type {
  CreatedWebhookEndpoint,
  WebhookEndpoint,
} from "../../../protocol/webhooks/contract.ts";
import type { WebhookEvent } from "../../../protocol/webhooks/webhook-events.ts";
import { BROAD } from "../../support/breadth.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const ENDPOINTS = "/v1/webhook-endpoints";

let receiver: WebhookReceiver;
let names = 0;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

/** A tenant with an endpoint that answers so. */
async function openShop(answers: string, endpoint: object = { events: ["*"] }) {
  const { key } = await createTenant();
  names += 1;
  const path = `/shop-${names}/${answers}`;
  const made = await request<CreatedWebhookEndpoint>("POST", ENDPOINTS, {
    key,
    body: { url: receiver.url + path, ...endpoint },
  });
  return { key, path, endpoint: made.body };
}

type Headers = Record<string, string>;

function verify(secret: string, { text, headers }: { text: string; headers: unknown }) {
  return new Webhook(secret).verify(text, headers as Headers) as WebhookEvent;
}

async function readOnly(key: string, endpointId: string): Promise<ReadWebhookDelivery> {
  const path = `${ENDPOINTS}/${endpointId}/deliveries`;
  const list = await request<{ data: { id: string }[] }>("GET", path, { key });
  return (await request<ReadWebhookDelivery>("GET", `${path}/${list.body.data[0]!.id}`, { key }))
    .body;
}

/** Asks until the delivery's last attempt is written: the receiver knows of it sooner than D1. */
async function settled(
  key: string,
  endpointId: string,
  isThere: (delivery: ReadWebhookDelivery) => boolean,
): Promise<ReadWebhookDelivery> {
  for (;;) {
    const delivery = await readOnly(key, endpointId);
    if (isThere(delivery)) return delivery;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("a webhook endpoint", () => {
  it("hears of a session and its reply, in messages that the standard's library believes", async () => {
    const { key, path, endpoint } = await openShop("200");
    const sessionId = await createSession(key);
    const reply = await request<{ id: string }>("POST", `/v1/sessions/${sessionId}/replies`, {
      key,
      body: { input: "Where is my order A-1001?" },
    });
    const fork = await request<{ id: string }>("POST", `/v1/sessions/${sessionId}/fork`, {
      key,
      body: {},
    });
    await receiver.waitFor(path, 3);
    await request("DELETE", `/v1/sessions/${sessionId}`, { key });

    const posts = await receiver.waitFor(path, 4);

    const events = posts.map((post) => verify(endpoint.secret, post));
    const told = events.map(({ type, data }) => [
      type,
      "session_id" in data && data.session_id,
      "reply_id" in data && data.reply_id,
    ]);
    expect(told.toSorted()).toEqual([
      ["reply.completed", sessionId, reply.body.id],
      ["session.created", sessionId, false],
      ["session.created", fork.body.id, false],
      ["session.deleted", sessionId, false],
    ]);
    expect(new Set(posts.map(({ headers }) => headers["webhook-id"])).size).toBe(4);
    expect(posts.some(({ text }) => text.includes("A-1001"))).toBe(false);
  });

  it("gets a message again that it failed to take, and then no more", BROAD, async () => {
    const { key, path, endpoint } = await openShop("503,200", { events: ["session.created"] });
    await createSession(key);

    const posts = await receiver.waitFor(path, 2);

    const { status, attempts } = await settled(
      key,
      endpoint.id,
      (delivery) => delivery.status === "delivered",
    );
    expect([status, attempts.map((attempt) => attempt.status)]).toEqual(["delivered", [503, 200]]);
    expect(posts.map((post) => verify(endpoint.secret, post))).toEqual([
      posts[0]!.body,
      posts[0]!.body,
    ]);
  });

  it(
    "that hangs, redirects or fails has failed attempts, and the platform does not follow",
    BROAD,
    async () => {
      const shops = await Promise.all(
        ["hang", "302", "500"].map((answers) => openShop(answers, { events: ["session.created"] })),
      );
      for (const { key } of shops) await createSession(key);

      const seen = await Promise.all(
        shops.map(async ({ key, endpoint }) => {
          const { status, attempts } = await settled(
            key,
            endpoint.id,
            (delivery) => delivery.attempts.length > 0,
          );
          return [status, attempts[0]!.status, attempts[0]!.error];
        }),
      );

      expect(seen).toEqual([
        ["pending", null, "no answer within 15 seconds"],
        ["pending", 302, "answered 302: redirects are not followed"],
        ["pending", 500, "answered 500"],
      ]);
      expect(receiver.received("/elsewhere/200")).toEqual([]);
    },
  );

  it("that answers 410 is disabled, and the tenant's other endpoint is told", async () => {
    const { key, path, endpoint } = await openShop("410", { events: ["session.created"] });
    const otherPath = `/other-${path.slice(1).replace("/410", "")}/200`;
    const other = await request<CreatedWebhookEndpoint>("POST", ENDPOINTS, {
      key,
      body: { url: receiver.url + otherPath, events: ["webhook_endpoint.disabled"] },
    });
    await createSession(key);

    const [post] = await receiver.waitFor(otherPath, 1);

    const { body } = await request<WebhookEndpoint>("GET", `${ENDPOINTS}/${endpoint.id}`, { key });
    expect([body.disabled, body.disabled_reason]).toEqual([true, "gone"]);
    expect(verify(other.body.secret, post!)).toEqual({
      type: "webhook_endpoint.disabled",
      timestamp: body.disabled_at,
      data: { endpoint_id: endpoint.id, reason: "gone", disabled_at: body.disabled_at },
    });
    await createSession(key);
    expect(receiver.received(path)).toHaveLength(1);
  });

  it("is believed with the old secret and with the new one while they overlap", BROAD, async () => {
    const { key, path, endpoint } = await openShop("200", { events: ["session.created"] });
    const rotate = `${ENDPOINTS}/${endpoint.id}/rotate-secret`;
    const rotated = await request<CreatedWebhookEndpoint>("POST", rotate, {
      key,
      body: { overlap_ms: 3_600_000 },
    });
    await createSession(key);
    const [both] = await receiver.waitFor(path, 1);
    const last = await request<CreatedWebhookEndpoint>("POST", rotate, {
      key,
      body: { overlap_ms: 0 },
    });
    await createSession(key);

    const [, alone] = await receiver.waitFor(path, 2);

    expect([verify(endpoint.secret, both!), verify(rotated.body.secret, both!)]).toEqual([
      both!.body,
      both!.body,
    ]);
    expect(verify(last.body.secret, alone!)).toEqual(alone!.body);
    expect(() => verify(rotated.body.secret, alone!)).toThrow("signature");
  });

  it("gets a delivery again when the tenant asks for it", async () => {
    const { key, path, endpoint } = await openShop("200", { events: ["session.created"] });
    await createSession(key);
    await receiver.waitFor(path, 1);
    const { id } = await settled(key, endpoint.id, (delivery) => delivery.status === "delivered");

    const again = await request("POST", `${ENDPOINTS}/${endpoint.id}/deliveries/${id}/redeliver`, {
      key,
    });

    const [first, second] = await receiver.waitFor(path, 2);
    expect([again.status, second!.headers["webhook-id"], second!.text]).toEqual([
      202,
      first!.headers["webhook-id"],
      first!.text,
    ]);
  });

  it("is told that a reply failed", async () => {
    const { key, path, endpoint } = await openShop("200", { events: ["reply.*"] });
    const sessionId = await createSession(key, await createAgent(key, { max_iters: 1 }));
    const input = "Where is my order A-1001?";
    await request("POST", `/v1/sessions/${sessionId}/replies`, { key, body: { input } });

    const [post] = await receiver.waitFor(path, 1);

    expect(verify(endpoint.secret, post!)).toMatchObject({
      type: "reply.failed",
      data: { session_id: sessionId, status: "exceed_max_iters", error: null },
    });
  });
});
