// The sums of usage by day, agent and model, which follow the rows of the replies.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { deliverOutbox, type OutboxEntry } from "../../../storage/outbox/deliver-outbox.ts";
import { deliverUsage } from "../../../storage/outbox/usage-delivery.ts";
import { ask, makeTenant, openSession, OPERATOR } from "../support/api.ts";
import { makeEntry, makeUsage } from "../sessions/outbox-entry.ts";

async function openListed() {
  const { tenantId, call, session } = await openSession();
  return { tenantId, call, id: session.id, agent_id: session.agent_id };
}

type Listed = Awaited<ReturnType<typeof openListed>>;

const SUMS = `replies, input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens,
  cost, unpriced`;

async function read(query: string, tenantId: string) {
  const { results } = await env.DB.prepare(query).bind(tenantId).all<Record<string, unknown>>();
  return results;
}

/** Of the tenant, those in which something is left. */
function daysOf({ tenantId }: { readonly tenantId: string }) {
  return read(
    `SELECT day, agent_id, model_name, ${SUMS} FROM usage_days
     WHERE tenant_id = ? AND replies > 0 ORDER BY 1, 2, 3`,
    tenantId,
  );
}

/** The same, from the rows of the replies. */
function rowsSummed({ tenantId }: Listed) {
  return read(
    `SELECT day, agent_id, model_name, count(*) AS replies,
     ${SUMS.split(/,\s+/)
       .slice(1, -2)
       .map((name) => `sum(${name}) AS ${name}`)
       .join(", ")}, sum(ifnull(cost, 0)) AS cost, sum(cost IS NULL) AS unpriced
     FROM usage WHERE tenant_id = ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    tenantId,
  );
}

/** `[day, model, replies, input tokens]` of each sum. */
async function sumsOf(owner: { readonly tenantId: string }) {
  return (await daysOf(owner)).map(({ day, model_name, replies, input_tokens }) => [
    day,
    model_name,
    replies,
    input_tokens,
  ]);
}

/** A reply that waits and ends with another model a day later, one that only ends, and a newer entry of the first. */
function makeStory(session: Listed): readonly OutboxEntry[] {
  const on = (day: number) => `2026-03-0${day}T12:00:00.000Z`;
  return [
    makeEntry(session, { entry: 3, at: on(1), model_name: "small", usage: makeUsage(1, 100) }),
    makeEntry(session, { entry: 5, at: on(2), model_name: "large", usage: makeUsage(2, 200) }),
    makeEntry(session, {
      entry: 8,
      reply_id: "rep_2",
      at: on(1),
      model_name: "small",
      usage: { ...makeUsage(4, 400), cache_input_tokens: 3, cache_creation_input_tokens: 2 },
    }),
    makeEntry(session, {
      entry: 9,
      at: on(2),
      model_name: "large",
      usage: makeUsage(16, 1_600),
      cost: 70,
    }),
  ];
}

function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, place) =>
    permutations(items.toSpliced(place, 1)).map((others) => [item, ...others]),
  );
}

describe("the sums of usage", () => {
  test(
    "are those of the newest entries, in whatever order entries come, and however often",
    BROAD,
    async () => {
      const session = await openListed();
      const entries = makeStory(session);
      const orders = permutations([0, 1, 2, 3]).map((order) =>
        order.map((place) => entries[place]!),
      );

      const results = [];
      for (const order of orders) {
        for (const table of ["usage", "usage_days"]) {
          await env.DB.prepare(`DELETE FROM ${table} WHERE tenant_id = ?`)
            .bind(session.tenantId)
            .run();
        }
        for (const entry of order) {
          await deliverOutbox(env.DB, [entry]);
          expect(await daysOf(session)).toEqual(await rowsSummed(session));
        }
        // All in one batch, some twice.
        await deliverOutbox(env.DB, [...order, ...order.slice(1, 3)]);
        results.push(await daysOf(session));
      }

      const { agent_id } = session;
      const sums = [
        {
          day: "2026-03-01",
          agent_id,
          model_name: "small",
          replies: 1,
          ...makeUsage(4, 400),
          cache_input_tokens: 3,
          cache_creation_input_tokens: 2,
          cost: 0,
          unpriced: 1,
        },
        {
          day: "2026-03-02",
          agent_id,
          model_name: "large",
          replies: 1,
          ...makeUsage(16, 1_600),
          cost: 70,
          unpriced: 0,
        },
      ];
      expect(results).toEqual(orders.map(() => sums));
    },
  );

  test("go with their replies: two on a day, then one, then none", async () => {
    const session = await openListed();
    const [waits, ended, other] = makeStory(session);
    await deliverOutbox(env.DB, [waits!, { ...other!, usage: makeUsage(4) }]);
    const both = await sumsOf(session);
    await deliverOutbox(env.DB, [ended!]);
    const one = await sumsOf(session);
    await deliverOutbox(env.DB, [{ ...other!, entry: 10, at: ended!.at, model_name: "large" }]);

    expect([both, one, await sumsOf(session)]).toEqual([
      [["2026-03-01", "small", 2, 5]],
      [
        ["2026-03-01", "small", 1, 4],
        ["2026-03-02", "large", 1, 2],
      ],
      [["2026-03-02", "large", 2, 6]],
    ]);
  });

  test("are written with the rest of a batch or not at all", async () => {
    const session = await openListed();
    const [waits] = makeStory(session);
    const usage = makeUsage(null as never);
    const refused = makeEntry(session, { entry: 4, reply_id: "rep_2", usage });

    await expect(deliverOutbox(env.DB, [waits!, refused])).rejects.toThrow("NOT NULL");

    expect([await daysOf(session), await rowsSummed(session)]).toEqual([[], []]);
  });

  test("hear of no session under another tenant's name", async () => {
    const session = await openListed();
    const stranger = { ...session, tenantId: (await makeTenant()).id };
    const [waits, ended] = makeStory(session);
    await deliverOutbox(env.DB, [waits!]);

    await deliverOutbox(env.DB, [{ ...ended!, tenant_id: stranger.tenantId }]);

    expect([await sumsOf(session), await daysOf(stranger)]).toEqual([
      [["2026-03-01", "small", 1, 1]],
      [],
    ]);
  });

  test("hear of a session until its row is gone, and outlive it", async () => {
    const session = await openListed();
    const [waits, ended, late] = makeStory(session);
    await deliverOutbox(env.DB, [waits!]);
    await env.DB.prepare("UPDATE sessions SET deleted_at = 'T' WHERE id = ?")
      .bind(session.id)
      .run();
    await deliverUsage(env.DB, [ended!]);
    const atTheEnd = await sumsOf(session);
    await env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(session.id).run();

    await deliverUsage(env.DB, [late!]);

    const sums = [["2026-03-02", "large", 1, 2]];
    expect([atTheEnd, await sumsOf(session)]).toEqual([sums, sums]);
  });

  test("go with their tenant", async () => {
    const session = await openListed();
    await deliverOutbox(env.DB, makeStory(session));

    await ask("DELETE", `/v1/tenants/${session.tenantId}`, OPERATOR);

    const left = await read("SELECT * FROM usage_days WHERE tenant_id = ?", session.tenantId);
    expect(left).toEqual([]);
  });
});
