// Calls that wait are announced by a webhook, and answered at the address that it carries: no API key is used for that.
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import type { PendingCall } from "../../../protocol/replies/contract.ts";
import type { CreatedWebhookEndpoint } from "../../../protocol/webhooks/contract.ts";
import type { WebhookEventOf } from "../../../protocol/webhooks/webhook-events.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

type CallEvent = WebhookEventOf<"confirmation.required" | "external_execution.required">;

const REFUND = '/call refund_order {"order_id":"A-1001","amount_cents":4200}';
const CANCEL = '/call cancel_order {"order_id":"A-1002"}';
const LABEL = '/call print_label {"order_id":"A-1001"}';
const input_schema = { type: "object", properties: { order_id: { type: "string" } } };

let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

/** A reply that has run into this, in a session whose tenant hears of all that waits. */
async function park(name: string, input: string) {
  const { key } = await createTenant();
  const path = `/${name}/200`;
  const { body: endpoint } = await request<CreatedWebhookEndpoint>(
    "POST",
    "/v1/webhook-endpoints",
    {
      key,
      body: {
        url: receiver.url + path,
        events: ["confirmation.required", "external_execution.required", "reply.*"],
      },
    },
  );
  const refund = { type: "http", name: "refund_order", url: `${inject("toolsUrl")}/refund_order` };
  const label = { type: "external", name: "print_label", input_schema, read_only: true };
  const shared = { input_schema, concurrency_safe: true };
  const tools = [{ ...refund, ...shared }, { ...refund, ...shared, name: "cancel_order" }, label];
  const sessionId = await createSession(key, await createAgent(key, { tools }));
  await request("POST", `/v1/sessions/${sessionId}/replies`, { key, body: { input } });
  return {
    /** The nth message, believed by the standard's library. */
    message: async (count: number): Promise<CallEvent> => {
      const { text, headers } = (await receiver.waitFor(path, count))[count - 1]!;
      return new Webhook(endpoint.secret).verify(text, headers as never) as CallEvent;
    },
    received: () => receiver.received(path).length,
  };
}

/** Calls that wait, as their callback address shows them, and how to answer there. */
async function openCallback({ data }: CallEvent) {
  const url = new URL(data.callback_url!);
  const { body } = await request<{ pending: PendingCall[] }>("GET", url.pathname);
  return {
    url,
    pending: body.pending,
    answer: (event: object) =>
      request<{ applied?: boolean; code?: string }>("POST", url.pathname, {
        body: { reply_id: data.reply_id, ...event },
      }),
  };
}

function yes(calls: readonly PendingCall[]) {
  return {
    type: "USER_CONFIRM_RESULT",
    confirm_results: calls.map(({ tool_call }) => ({ confirmed: true, tool_call })),
    metadata: {
      input_hashes: Object.fromEntries(
        calls.map(({ tool_call, input_hash }) => [tool_call.id, input_hash]),
      ),
    },
  };
}

describe("what waits", () => {
  it("is confirmed at the address of its webhook, and the reply goes on to its end", async () => {
    const { message } = await park("confirmed", REFUND);
    const announced = await message(1);

    const { url, pending, answer } = await openCallback(announced);
    const taken = await answer(yes(pending));

    expect([announced.type, url.origin, announced.data.calls]).toEqual([
      "confirmation.required",
      new URL(inject("baseUrl")).origin,
      pending.map(({ kind, tool_call, input_hash, expires_at }) => {
        const { id: tool_call_id, name: tool_name } = tool_call;
        return { tool_call_id, tool_name, kind, input_hash, expires_at };
      }),
    ]);
    expect(pending.map(({ tool_call }) => JSON.parse(tool_call.input) as unknown)).toEqual([
      { order_id: "A-1001", amount_cents: 4200 },
    ]);
    expect([taken.status, taken.body.applied]).toEqual([202, true]);
    expect((await message(2)).type).toBe("reply.completed");
  });

  it("is done by a system outside, which posts the result to the address", async () => {
    const { message } = await park("external", LABEL);
    const announced = await message(1);

    const { pending, answer } = await openCallback(announced);
    const taken = await answer({
      type: "EXTERNAL_EXECUTION_RESULT",
      execution_results: pending.map(({ tool_call }) => ({ id: tool_call.id, output: "Label 1" })),
    });

    expect([announced.type, announced.data.calls.map(({ kind }) => kind), taken.status]).toEqual([
      "external_execution.required",
      ["external_result"],
      202,
    ]);
    expect((await message(2)).type).toBe("reply.completed");
  });

  it("is announced once, though its calls are answered one by one", async () => {
    const { message, received } = await park("partly", `${REFUND}\n${CANCEL}`);
    const announced = await message(1);
    const { pending, answer } = await openCallback(announced);

    const first = await answer(yes(pending.slice(0, 1)));
    const second = await answer(yes(pending.slice(1)));

    expect([first.status, second.status, announced.data.calls.length]).toEqual([202, 202, 2]);
    expect((await message(2)).type).toBe("reply.completed");
    expect(received()).toBe(2);
  });

  it("takes no confirmation without the hash of its input", async () => {
    const { message, received } = await park("unproven", REFUND);
    const { pending, answer } = await openCallback(await message(1));

    const refused = await answer({ ...yes(pending), metadata: {} });

    expect([refused.status, refused.body.code, received()]).toEqual([400, "input_hash_missing", 1]);
  });
});
