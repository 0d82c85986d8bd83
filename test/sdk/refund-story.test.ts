// The refund desk whole: ask, webhook, approval with an edit, refund, external tool, result by callback, answer; and
// the customer's stream is taken up again after each pause, through connections that are cut.
import { expect, inject, onTestFinished, test } from "vitest";

import {
  answerCallback,
  confirmEvent,
  readCallback,
  toolResultEvent,
  webhooks,
  type LoggedEvent,
  type WebhookEvent,
} from "../../sdk/index.ts";
import { randomFates, startCuttingProxy } from "../support/cutting-proxy.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { openPeopleDesk, REFUND } from "./people-desk.ts";

/** The back office: what it is told of, and what it does about it. */
async function answerBackOffice(event: WebhookEvent): Promise<void> {
  if (event.type !== "confirmation.required" && event.type !== "external_execution.required")
    return;
  const { callback_url } = event.data;
  if (callback_url === null) throw new Error("the webhook carries no address");
  const { reply_id, pending } = await readCallback(callback_url);
  for (const call of pending) {
    const answer =
      call.kind === "permission"
        ? confirmEvent(reply_id, [[call, { input: { order_id: "A-1001", amount: 20 } }]])
        : toolResultEvent(reply_id, [[call, "Label 1Z-77"]]);
    await answerCallback(callback_url, answer);
  }
}

test("a refund goes its whole way, and the customer misses nothing of it", async () => {
  const { reprise, clientOf, openSession, tools } = await openPeopleDesk();
  const told: WebhookEvent[] = [];
  let secret = "";
  const office = await startLoopbackServer(async ({ text, headers }, response) => {
    told.push(await webhooks.unwrap(text, headers, secret));
    response.end();
  });
  onTestFinished(() => office.stop());
  ({ secret } = await reprise.webhookEndpoints.create({
    url: office.url,
    events: ["*"],
    callback_verbs: ["confirm", "edit", "tool_result"],
  }));
  const fates = randomFates(seededRandom(6), { cuts: 20, maxBytes: 4_000 });
  const proxy = await startCuttingProxy(inject("baseUrl"), fates);
  onTestFinished(() => proxy.stop());
  const direct = await openSession();
  const phone = clientOf({ baseUrl: proxy.url, maxRetries: 30 }).session(direct.id);

  const reply = phone.reply(REFUND);
  const seen: LoggedEvent[] = [];
  const pauses: (string | null)[] = [];
  for (const type of ["confirmation.required", "external_execution.required", "reply.completed"]) {
    for await (const event of reply) seen.push(event);
    pauses.push(reply.status);
    const hear = () => told.find((event) => event.type === type);
    await expect.poll(hear).toBeDefined();
    const event = hear();
    if (event) await answerBackOffice(event);
  }

  expect(pauses).toEqual(["awaiting_permission", "awaiting_external_result", "completed"]);
  const replayed: LoggedEvent[] = [];
  for await (const event of direct.events({ replyId: reply.id ?? "" })) replayed.push(event);
  expect(seen).toEqual(replayed);
  const stored = await direct.message(reply.id ?? "");
  expect(JSON.stringify(reply.message())).toBe(JSON.stringify(stored.message));
  const refunds = tools.requests.filter(({ path }) => path === "/refund_order");
  expect(refunds.map(({ body }) => body)).toMatchObject([
    { input: { order_id: "A-1001", amount: 20 } },
  ]);
  expect(await reply.text()).toContain("Label 1Z-77");
});
