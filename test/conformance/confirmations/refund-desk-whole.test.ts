// The refund desk whole, with nothing but HTTP: ask, webhook, approval with an edit, refund, external tool, result by
// callback, answer. The customer has a client token, and loses the connection in the middle of words and at each pause.
import { Webhook } from "standardwebhooks";
import { expect, inject, onTestFinished, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import type { Callback } from "../../../protocol/inbound/callbacks.ts";
import type { Decision } from "../../../protocol/permission/contract.ts";
import type { CreatedWebhookEndpoint } from "../../../protocol/webhooks/contract.ts";
import type { WebhookEventOf } from "../../../protocol/webhooks/webhook-events.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
  type Frame,
} from "../../support/platform-client.ts";
import { mintToken } from "../../support/refund-office.ts";
import { answer, echo, startToolServer } from "../../support/tool-server.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";

type CallEvent = WebhookEventOf<"confirmation.required" | "external_execution.required">;

const QUESTION = "I want my money back for A-1003.";
const EDITED = { order_id: "A-1003", amount: "60.00 EUR" };
const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" }, amount: { type: "string" } },
  required: ["order_id"],
};
/** After as many events the connection is cut, over and over. */
const EVENTS_PER_CONNECTION = 5;

async function openShop() {
  const tools = await startToolServer({
    "/lookup_order": answer('{"output":"a ceramic teapot for 72.90 EUR."}'),
    "/refund_order": echo,
  });
  const receiver = await startWebhookReceiver();
  onTestFinished(async () => {
    await Promise.all([tools.stop(), receiver.stop()]);
  });
  const { key } = await createTenant();
  const events = ["confirmation.required", "external_execution.required", "reply.*"];
  const endpoint = await request<CreatedWebhookEndpoint>("POST", "/v1/webhook-endpoints", {
    key,
    body: {
      url: `${receiver.url}/shop/200`,
      events,
      callback_verbs: ["confirm", "edit", "tool_result"],
    },
  });
  const http = { type: "http", input_schema: ORDER };
  const agentId = await createAgent(key, {
    tools: [
      { ...http, name: "lookup_order", url: `${tools.url}/lookup_order`, read_only: true },
      { ...http, name: "refund_order", url: `${tools.url}/refund_order` },
      { type: "external", name: "print_label", input_schema: ORDER, read_only: true },
    ],
  });
  const sessionId = await createSession(key, agentId);
  const path = `/v1/sessions/${sessionId}`;
  return {
    key,
    path,
    tools,
    token: await mintToken(key, path, ["read", "reply"]),
    /** The nth webhook, believed by the standard's own library. */
    async hear(count: number): Promise<CallEvent> {
      const message = (await receiver.waitFor("/shop/200", count))[count - 1]!;
      const verifier = new Webhook(endpoint.body.secret);
      return verifier.verify(message.text, message.headers as never) as CallEvent;
    },
  };
}

/** Reads on after the last frame, over connections that are cut, until the platform itself ends a stream. */
async function readOn(
  { path, token }: { path: string; token: string },
  seen: Frame[],
  replyId: string,
) {
  for (;;) {
    const response = await openRequest("GET", `${path}/events?reply_id=${replyId}`, {
      key: token,
      headers: { accept: "text/event-stream", "last-event-id": String(seen.at(-1)?.id) },
    });
    if (response.status === 204) return;
    let count = 0;
    const until = () => (count += 1) === EVENTS_PER_CONNECTION;
    const frames = await readSse(response, { until });
    seen.push(...frames);
    if (frames.length < EVENTS_PER_CONNECTION) return;
  }
}

function eventsOf(frames: readonly Frame[]): LoggedEvent[] {
  return frames.map(({ data }) => JSON.parse(data) as LoggedEvent);
}

/**
 * The call that waits at the address of a webhook, and the way to answer it there: with no credential but the address.
 */
async function openCallback({ data }: CallEvent) {
  const { pathname, origin } = new URL(data.callback_url ?? "");
  expect(origin).toBe(new URL(inject("baseUrl")).origin);
  const { pending } = (await request<Callback>("GET", pathname)).body;
  return {
    call: pending[0]!,
    post: (event: object) =>
      request<{ applied?: boolean }>("POST", pathname, {
        body: { reply_id: data.reply_id, ...event },
      }),
  };
}

test(
  "a refund is asked for, allowed in part, made, labelled and answered, and no reader misses an event",
  BROAD,
  async () => {
    const shop = await openShop();
    const stream = await openRequest("POST", `${shop.path}/replies`, {
      key: shop.token,
      body: { input: QUESTION, stream: true },
    });
    const seen = await readSse(stream, { until: ({ event }) => event === "THINKING_BLOCK_DELTA" });
    const replyId = eventsOf(seen).find((event) => event.type === "REPLY_START")?.reply_id ?? "";
    const ends: (string | undefined)[] = [];

    await readOn(shop, seen, replyId);
    ends.push(seen.at(-1)?.event);
    const confirmation = await shop.hear(1);
    const asked = await openCallback(confirmation);
    const approved = await asked.post({
      type: "USER_CONFIRM_RESULT",
      confirm_results: [
        { confirmed: true, tool_call: { ...asked.call.tool_call, input: JSON.stringify(EDITED) } },
      ],
      metadata: { input_hashes: { [asked.call.tool_call.id]: asked.call.input_hash } },
    });

    await readOn(shop, seen, replyId);
    const execution = await shop.hear(2);
    ends.push(seen.at(-1)?.event);
    const printing = await openCallback(execution);
    const printed = await printing.post({
      type: "EXTERNAL_EXECUTION_RESULT",
      execution_results: [{ id: printing.call.tool_call.id, output: "Label 1Z-77" }],
    });

    const completed = await shop.hear(3);
    await readOn(shop, seen, replyId);
    ends.push(seen.at(-1)?.event);

    expect(ends).toEqual(["REQUIRE_USER_CONFIRM", "REQUIRE_EXTERNAL_EXECUTION", "REPLY_END"]);
    expect([confirmation.type, execution.type, completed.type]).toEqual([
      "confirmation.required",
      "external_execution.required",
      "reply.completed",
    ]);
    expect([approved.status, approved.body.applied, printed.status, printed.body.applied]).toEqual([
      202,
      true,
      202,
      true,
    ]);
    expect([asked.call.tool_call.input, printing.call.tool_call.input]).toEqual([
      '{"order_id":"A-1003"}',
      '{"order_id":"A-1003"}',
    ]);

    const refunds = shop.tools.requests.filter(({ path }) => path === "/refund_order");
    expect(refunds.map(({ body }) => (body as { input: unknown }).input)).toEqual([EDITED]);

    const first = seen[0]?.id ?? 0;
    expect(seen.map(({ id }) => id)).toEqual(seen.map((_, index) => first + index));
    const replay = await openRequest("GET", `${shop.path}/events?reply_id=${replyId}&after=0`, {
      key: shop.key,
      headers: { accept: "text/event-stream" },
    });
    expect(seen).toEqual(await readSse(replay));
    const stored = await request<{ message: Msg }>("GET", `${shop.path}/messages/${replyId}`, shop);
    expect(JSON.stringify(foldEvents(eventsOf(seen)))).toBe(JSON.stringify(stored.body.message));

    const { content } = stored.body.message;
    expect(
      content.flatMap((block) => (block.type === "tool_call" ? [[block.name, block.input]] : [])),
    ).toEqual([
      ["lookup_order", '{"order_id":"A-1003"}'],
      ["refund_order", JSON.stringify(EDITED)],
      ["print_label", '{"order_id":"A-1003"}'],
    ]);
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    expect(text).toContain("Label 1Z-77");

    const decisions = await request<{ data: Decision[] }>("GET", `${shop.path}/decisions`, shop);
    const byPeople = decisions.body.data.filter(({ decided_by }) => decided_by.kind !== "platform");
    expect(
      byPeople.map(({ tool_name, behavior, edited_input, decided_by }) => [
        tool_name,
        behavior,
        edited_input,
        decided_by.kind,
      ]),
    ).toEqual([["refund_order", "allow", JSON.stringify(EDITED), "callback"]]);
  },
);
