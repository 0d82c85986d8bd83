/** @module-tag broad */
// A tenant whose receivers hang, beside one whose receiver answers. No clock: what is claimed is an order.
import { createServer, type AddressInfo } from "node:net";

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { MAX_ENDPOINT_ATTEMPTS, MAX_TENANT_ATTEMPTS } from "../../protocol/webhooks/limits.ts";
import { createAgent, createSession, createTenant, request } from "../support/platform-client.ts";
import { startHangingReceiver } from "../support/hanging-receiver.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

async function startHanging() {
  const hanging = await startHangingReceiver();
  onTestFinished(() => hanging.stop());
  return hanging;
}

/** A tenant that is told of its sessions at these addresses. @returns what opens some. */
async function openShop(urls: readonly string[]) {
  const { key } = await createTenant();
  for (const url of urls) {
    const body = { url, events: ["session.created"] };
    const made = await request("POST", "/v1/webhook-endpoints", { key, body });
    expect(made.status).toBe(201);
  }
  const agentId = await createAgent(key);
  return {
    async openSessions(count: number): Promise<void> {
      for (let made = 0; made < count; made += 1) await createSession(key, agentId);
    },
  };
}

describe("many deliveries to receivers that hang", () => {
  it.each([
    ["one endpoint", 1, 30],
    ["thirty endpoints", 30, 5],
  ])(
    "of %s leave another tenant's webhook alone, and are begun a few at a time",
    async (name, endpoints, sessions) => {
      const hanging = await startHanging();
      const urls = Array.from({ length: endpoints }, (_, index) => `${hanging.url}/${index}`);
      const [slow, quick] = [
        await openShop(urls),
        await openShop([`${receiver.url}/beside ${name}/200`.replaceAll(" ", "-")]),
      ];
      await slow.openSessions(sessions);
      await hanging.waitUntil(() => hanging.begun.length > 0);

      await quick.openSessions(1);
      await receiver.waitFor(`/beside-${name.replaceAll(" ", "-")}/200`, 1);

      // In the order of the queue all would have been waited for. Twenty end every 15 s, so that these last for long.
      expect(hanging.begun.length).toBeLessThan(endpoints * sessions);
      expect(hanging.most.ofPath).toBeLessThanOrEqual(MAX_ENDPOINT_ATTEMPTS);
      expect(hanging.most.ofAll).toBeLessThanOrEqual(MAX_TENANT_ATTEMPTS);
    },
  );

  it("are all made once the receivers answer", async () => {
    const hanging = await startHanging();
    const shop = await openShop([`${hanging.url}/hook`]);
    await shop.openSessions(30);
    await hanging.waitUntil(() => hanging.begun.length >= MAX_ENDPOINT_ATTEMPTS);

    hanging.release();

    await hanging.waitUntil(() => hanging.answered.size === 30);
    expect(hanging.most.ofPath).toBeLessThanOrEqual(MAX_ENDPOINT_ATTEMPTS);
  });
});

/** Answers each connection with these bytes, and then with more of them for as long as they are taken. */
async function startFlood(head: string, more: string) {
  const ended: Promise<void>[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    ended.push(new Promise((resolve) => socket.on("close", () => resolve())));
    let isOpen = true;
    socket.on("close", () => (isOpen = false));
    function flood(): void {
      while (isOpen && socket.write(more));
      if (isOpen) socket.once("drain", flood);
    }
    socket.once("data", () => {
      socket.write(head);
      flood();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, ended };
}

describe("a receiver that answers without end", () => {
  const FILLING = "x".repeat(65_536);

  it.each([
    ["a body", "HTTP/1.1 200 OK\r\n\r\n", FILLING, [200, null]],
    [
      "a body of a gigabyte",
      "HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n",
      FILLING,
      [200, null],
    ],
    [
      "the body of a failure",
      "HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n",
      `10000\r\n${FILLING}\r\n`,
      [500, "answered 500"],
    ],
    [
      "headers",
      "HTTP/1.1 200 OK\r\n",
      `x-filling: ${FILLING}\r\n`,
      [null, "the connection failed"],
    ],
    ["a header", "HTTP/1.1 200 OK\r\nx-filling: ", FILLING, [null, "the connection failed"]],
    ["a line", "HTTP/1.1 200 ", FILLING, [null, "the connection failed"]],
  ])("is let go: %s", async (_, head, more, outcome) => {
    const flood = await startFlood(head, more);
    const { key } = await createTenant();
    const body = { url: flood.url, events: ["session.created"] };
    const made = await request<{ id: string }>("POST", "/v1/webhook-endpoints", { key, body });
    await createSession(key);

    const attempt = await firstAttempt(key, made.body.id);
    await flood.ended[0];

    expect([attempt.status, attempt.error]).toEqual(outcome);
  });
});

interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
}

/** Asks until the endpoint's only delivery has an attempt. */
async function firstAttempt(key: string, endpointId: string): Promise<Attempt> {
  const path = `/v1/webhook-endpoints/${endpointId}/deliveries`;
  for (;;) {
    const list = await request<{ data: { id: string }[] }>("GET", path, { key });
    const [delivery] = list.body.data;
    if (delivery) {
      const read = await request<{ attempts: Attempt[] }>("GET", `${path}/${delivery.id}`, { key });
      if (read.body.attempts[0]) return read.body.attempts[0];
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
