// From what an outbox delivers to messages: which, for whom, and once.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { PendingCall } from "../../../protocol/replies/contract.ts";
import { MAX_CALLBACK_TOKEN_CHARACTERS } from "../../../protocol/inbound/limits.ts";
import { MAX_WEBHOOK_BODY_BYTES } from "../../../protocol/webhooks/limits.ts";
import { utf8Bytes } from "../../../protocol/utf8-bytes.ts";
import type { WebhookEvent, WebhookEventOf } from "../../../protocol/webhooks/webhook-events.ts";
import { WebhookEventSchema } from "../../../protocol/webhooks/webhook-events.ts";
import { announcedCall } from "../../../storage/outbox/announced-call.ts";
import { deliverEntries } from "../../../storage/outbox/deliver-entries.ts";
import type { OutboxEntry } from "../../../storage/outbox/deliver-outbox.ts";
import { openToken } from "../../../storage/secrets/signed-token.ts";
import { makeEntry } from "../sessions/outbox-entry.ts";
import { makePending } from "../confirmations/pending-call.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";
import { HeldQueue, makeEndpoint, makeShop, readDeliveries } from "./endpoint.ts";

type CallEvent = WebhookEventOf<"confirmation.required" | "external_execution.required">;

const AT = new Date().toISOString();
const LATER = new Date(Date.now() + 3_600_000).toISOString();

/** A shop with a session in which nothing runs; its outbox is the test. */
async function makeShopWithSession(
  endpoint: object = {
    events: ["reply.*", "confirmation.required", "external_execution.required"],
  },
) {
  const shop = await makeShop(endpoint);
  const agent = await makeAgent(shop.call);
  const session = await makeSession(shop.call, { agent_id: agent.id, end_user_id: "customer-17" });
  function entryOf(changes: Partial<OutboxEntry>): OutboxEntry {
    const owner = { tenantId: shop.tenantId, id: session.id, agent_id: agent.id };
    return makeEntry(owner, {
      at: AT,
      end_user_id: "customer-17",
      origin: "https://reprise.test",
      ...changes,
    });
  }
  return {
    ...shop,
    session,
    deliver: (...changes: Partial<OutboxEntry>[]) =>
      deliverEntries(shop.bindings, changes.map(entryOf)),
    /** The payloads that wait for the shop's endpoint, oldest first. */
    async payloads() {
      const { results } = await env.DB.prepare(
        "SELECT payload FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY id",
      )
        .bind(shop.endpoint.id)
        .all<{ payload: string }>();
      return results.map(({ payload }) => JSON.parse(payload) as WebhookEvent);
    },
  };
}

function parked(
  pending: readonly PendingCall[],
  changes: Partial<OutboxEntry> = {},
): Partial<OutboxEntry> {
  const reply_status = "awaiting_permission";
  return { reply_status, session_status: reply_status, pending, ...changes };
}

function idsOf(payloads: readonly unknown[]): readonly (readonly string[])[] {
  return (payloads as readonly CallEvent[]).map(({ data }) =>
    data.calls.map(({ tool_call_id }) => tool_call_id),
  );
}

describe("a reply that ends", () => {
  test.each([
    ["completed", "reply.completed", {}],
    ["interrupted", "reply.interrupted", {}],
    ["exceed_max_iters", "reply.failed", { status: "exceed_max_iters", error: null }],
    [
      "error",
      "reply.failed",
      { status: "error", error: { type: "upstream", message: "The model failed." } },
    ],
  ] as const)(
    "as %s is told as %s, with ids and states alone",
    async (reply_status, type, more) => {
      const shop = await makeShopWithSession();
      const error = reply_status === "error" ? more.error : null;

      await shop.deliver({ reply_status, error });

      const payloads = await shop.payloads();
      expect(payloads).toEqual([
        {
          type,
          timestamp: AT,
          data: {
            session_id: shop.session.id,
            agent_id: shop.session.agent_id,
            end_user_id: "customer-17",
            agent_version: 1,
            reply_id: "rep_1",
            cursor: 9,
            ...more,
          },
        },
      ]);
      expect(WebhookEventSchema.parse(payloads[0])).toEqual(payloads[0]);
    },
  );

  test("is told to each enabled endpoint of the tenant that wants it, with one id", async () => {
    const shop = await makeShopWithSession({ events: ["reply.completed"] });
    const stranger = await makeShop();
    const others = [
      await makeEndpoint(shop.call, { events: ["*"] }),
      await makeEndpoint(shop.call, { events: ["reply.*"] }),
      await makeEndpoint(shop.call, { events: ["reply.failed", "session.*"] }),
      await makeEndpoint(shop.call, { events: ["*"], disabled: true }),
    ];

    await shop.deliver({ reply_status: "completed" });

    const seen = [];
    for (const { id } of [shop.endpoint, ...others]) {
      const deliveries = await readDeliveries(shop.call, id);
      seen.push(deliveries.map(({ message_id }) => message_id));
    }
    const [[id]] = seen as [[string]];
    expect(seen).toEqual([[id], [id], [id], [], []]);
    expect(await readDeliveries(stranger.call, stranger.endpoint.id)).toEqual([]);
    expect(shop.held.take().length).toBe(3);
  });

  test("is told once, however often its entry is delivered", async () => {
    const shop = await makeShopWithSession();

    for (let time = 0; time < 3; time += 1) await shop.deliver({ reply_status: "completed" });

    const jobs = shop.held.take();
    expect(await shop.payloads()).toHaveLength(1);
    expect(jobs).toEqual([jobs[0], jobs[0], jobs[0]]);
    await shop.consume(jobs.slice(0, 1));
    await shop.deliver({ reply_status: "completed" });
    expect(shop.held.sent).toEqual([]);
  });

  test("tells nothing while it runs, and costs a tenant without endpoints one query", async () => {
    const { id: tenantId, call } = await makeTenant();
    const agent = await makeAgent(call);
    const session = await makeSession(call, { agent_id: agent.id });
    const queries: string[] = [];
    const DB = new Proxy(env.DB, {
      get(target, name) {
        const member = Reflect.get(target, name) as (...values: unknown[]) => unknown;
        return (...values: unknown[]) => {
          if (name === "prepare") queries.push(String(values[0]));
          return Reflect.apply(member, target, values);
        };
      },
    });
    const held = new HeldQueue();

    await deliverEntries({ ...env, DB, WEBHOOK_QUEUE: held.binding }, [
      makeEntry({ tenantId, id: session.id, agent_id: agent.id }),
    ]);

    expect(queries.filter((query) => query.includes("webhook")).length).toBe(1);
    const shop = await makeShopWithSession({ events: ["*"] });
    await shop.deliver({ reply_status: "running", session_status: "running" });
    expect([held.sent, shop.held.sent]).toEqual([[], []]);
  });
});

describe("a reply that waits", () => {
  test("announces its calls without their inputs, with an address that takes the answers", async () => {
    const shop = await makeShopWithSession();
    const asking = makePending(
      "call_1",
      { expires_at: LATER },
      '{"note":"a secret of the customer"}',
    );
    const external = makePending("call_2", { kind: "external_result", input_hash: null });

    await shop.deliver(parked([asking, external]));

    const payloads = (await shop.payloads()) as readonly CallEvent[];
    const [confirmation, execution] = ["confirmation.required", "external_execution.required"].map(
      (type) => payloads.find((payload) => payload.type === type)!,
    );
    expect([payloads.length, confirmation!.data.calls, execution!.data.calls]).toEqual([
      2,
      [
        {
          tool_call_id: "call_1",
          tool_name: "refund_order",
          kind: "permission",
          input_hash: asking.input_hash,
          expires_at: LATER,
        },
      ],
      [
        {
          tool_call_id: "call_2",
          tool_name: "refund_order",
          kind: "external_result",
          input_hash: null,
          expires_at: null,
        },
      ],
    ]);
    expect(JSON.stringify(payloads)).not.toContain("secret");
    expect(payloads.map((payload) => WebhookEventSchema.parse(payload))).toEqual(payloads);

    const { callback_url, callback_expires_at } = confirmation!.data;
    expect(callback_expires_at).toBe(LATER);
    const token = callback_url!.slice("https://reprise.test/v1/callbacks/".length);
    const [delivery] = (await readDeliveries(shop.call, shop.endpoint.id)).filter(
      ({ type }) => type === "confirmation.required",
    );
    expect(await openToken("callback", token, { current: env.KEY_PEPPER }, Date.now())).toEqual({
      ok: true,
      claims: {
        tenant_id: shop.tenantId,
        session_id: shop.session.id,
        reply_id: "rep_1",
        tool_call_ids: ["call_1"],
        kind: "permission",
        message_id: delivery!.message_id,
        exp: Date.parse(LATER),
      },
    });
    expect(delivery!.payload).toEqual({
      ...confirmation,
      data: { ...confirmation!.data, callback_url: "https://reprise.test/v1/callbacks/…" },
    });
    expect(Date.parse(execution!.data.callback_expires_at!) - Date.parse(AT)).toBe(604_800_000);
  });

  test("announces a call once, though it waits again after other answers", async () => {
    const shop = await makeShopWithSession();
    const [first, second, third] = ["call_1", "call_2", "call_3"].map((id) => makePending(id));

    await shop.deliver(parked([first!, second!], { entry: 1 }));
    await shop.deliver(parked([second!], { entry: 2 }));
    await shop.deliver(parked([second!, third!], { entry: 3 }));

    expect(idsOf(await shop.payloads()).toSorted()).toEqual([["call_1", "call_2"], ["call_3"]]);
  });

  test("announces nothing twice when an entry comes again with fewer calls", async () => {
    const shop = await makeShopWithSession();
    const [first, second] = ["call_1", "call_2"].map((id) => makePending(id));
    shop.held.isDown = true;
    await expect(shop.deliver(parked([first!, second!]))).rejects.toThrow("the queue is down");
    shop.held.isDown = false;

    await shop.deliver(parked([second!]));

    expect(idsOf(await shop.payloads())).toEqual([["call_1", "call_2"]]);
    expect(shop.held.take()).toHaveLength(1);
  });

  test("announces a call that asked a person and then waits for its result both times", async () => {
    const shop = await makeShopWithSession();

    await shop.deliver(parked([makePending("call_1")], { entry: 1 }));
    await shop.deliver(parked([makePending("call_1", { kind: "external_result" })], { entry: 2 }));

    const types = (await shop.payloads()).map(({ type }) => type);
    expect(types.toSorted()).toEqual(["confirmation.required", "external_execution.required"]);
  });

  test("announces many calls, and calls with long ids, in messages below their limit", async () => {
    const shop = await makeShopWithSession();
    const many = Array.from({ length: 20 }, (_, index) => makePending(`call_${index}`));
    const long = Array.from({ length: 16 }, (_, index) =>
      makePending(`${String(index).padStart(2, "0")}${"é\u0001".repeat(127)}`),
    );

    await shop.deliver(parked(many, { entry: 1 }));
    const counts = idsOf(await shop.payloads()).map((ids) => ids.length);
    await shop.deliver(parked(long, { entry: 2 }));

    const payloads = await shop.payloads();
    const ids = idsOf(payloads).flat();
    expect(counts.toSorted()).toEqual([16, 4]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(36);
    expect(
      payloads.every((payload) => utf8Bytes(JSON.stringify(payload)) < MAX_WEBHOOK_BODY_BYTES),
    ).toBe(true);
  });

  test.each([6, 12, 15])(
    "announces %i calls with long ids at addresses that can be used",
    async (count) => {
      const shop = await makeShopWithSession();
      const calls = Array.from({ length: count }, (_, index) =>
        makePending(`${String(index).padStart(2, "0")}${"é\u0001".repeat(127)}`),
      );

      await shop.deliver(parked(calls));

      const payloads = await shop.payloads();
      expect(idsOf(payloads).flat().length).toBe(count);
      const tokens = payloads.map(
        ({ data }) => ("callback_url" in data && data.callback_url?.split("/").at(-1)) || "",
      );
      expect(
        tokens.filter((token) => token === "" || token.length > MAX_CALLBACK_TOKEN_CHARACTERS),
      ).toEqual([]);
    },
  );

  test("names no address when the session knows none", async () => {
    const shop = await makeShopWithSession();

    await shop.deliver(parked([makePending("call_1")], { origin: null }));

    const [payload] = (await shop.payloads()) as readonly CallEvent[];
    expect([payload!.data.callback_url, payload!.data.callback_expires_at]).toEqual([null, null]);
  });

  test("leaves nothing of its announcements behind when its session is erased", async () => {
    const shop = await makeShopWithSession();
    const count = async () =>
      env.DB.prepare("SELECT count(*) AS count FROM webhook_announcements WHERE tenant_id = ?")
        .bind(shop.tenantId)
        .first("count");
    await shop.deliver(parked([makePending("call_1")]));
    const before = await count();

    await ask("DELETE", `/v1/sessions/${shop.session.id}`, shop.call);
    await shop.deliver(parked([makePending("call_2")], { entry: 2 }));

    expect([before, await count(), idsOf(await shop.payloads())]).toEqual([1, 0, [["call_1"]]]);
  });

  test("is announced with the calls that waited when its entry was written, whatever waits now", async () => {
    const shop = await makeShopWithSession();
    const [first, second, later] = ["call_1", "call_2", "call_3"].map((id) => makePending(id));
    const calls = [{ ...announcedCall(first!), answered: true as const }, announcedCall(second!)];

    await shop.deliver(parked([second!, later!], { calls }));

    const payloads = (await shop.payloads()) as readonly CallEvent[];
    expect(payloads.map(({ data }) => data.calls)).toEqual([calls]);
    expect(payloads.map((payload) => WebhookEventSchema.parse(payload))).toEqual(payloads);
  });
});

describe("the queue", () => {
  test("that was down gets what it missed with the next delivery of the entry", async () => {
    const shop = await makeShopWithSession();
    shop.held.isDown = true;
    await expect(shop.deliver({ reply_status: "completed" })).rejects.toThrow("the queue is down");
    shop.held.isDown = false;

    await shop.deliver({ reply_status: "completed" });

    expect(shop.held.take()).toHaveLength(1);
  });
});
