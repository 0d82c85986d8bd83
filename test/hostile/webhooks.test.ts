// A tenant whose receivers hang, beside one whose receiver answers. No clock: what is claimed is an order.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { MAX_ENDPOINT_ATTEMPTS, MAX_TENANT_ATTEMPTS } from "../../protocol/limits-webhooks.ts";
import { createAgent, createSession, createTenant, request } from "../support/platform-client.ts";
import { startHangingReceiver } from "../support/hanging-receiver.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

/** A limit for hangs: far above what a busy machine takes. */
const PATIENCE = 120_000;

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

describe("thirty deliveries to receivers that hang", { timeout: PATIENCE }, () => {
  it.each([
    ["one endpoint", 1, 30],
    ["thirty endpoints", 30, 1],
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
      await hanging.waitFor(1);

      await quick.openSessions(1);
      await receiver.waitFor(`/beside-${name.replaceAll(" ", "-")}/200`, 1);

      // In the order of the queue all thirty would have been waited for.
      expect(hanging.begun.length).toBeLessThan(30);
      expect(hanging.most.ofPath).toBeLessThanOrEqual(MAX_ENDPOINT_ATTEMPTS);
      expect(hanging.most.ofAll).toBeLessThanOrEqual(MAX_TENANT_ATTEMPTS);
    },
  );

  it("are all made once the receivers answer", async () => {
    const hanging = await startHanging();
    const shop = await openShop([`${hanging.url}/hook`]);
    await shop.openSessions(30);
    await hanging.waitFor(MAX_ENDPOINT_ATTEMPTS);

    hanging.release();

    await hanging.waitFor(30);
    expect(hanging.begun.length).toBe(30);
    expect(hanging.most.ofPath).toBeLessThanOrEqual(MAX_ENDPOINT_ATTEMPTS);
  });
});
