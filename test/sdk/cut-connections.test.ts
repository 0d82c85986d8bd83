import { describe, expect, inject, it, onTestFinished } from "vitest";

import type { LoggedEvent } from "../../sdk/index.ts";
import { BROAD, sampled, seeds } from "../support/breadth.ts";
import { collect } from "../support/collect.ts";
import { randomFates, startCuttingProxy, type Fate } from "../support/cutting-proxy.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { openDesk } from "./desk.ts";

const LONG = '/think Let me see.\n/rate 400\n/call lookup_order {"order_id":"A-1001"}\n/words 150';
const desk = await openDesk();

/** Plays a reply through a proxy, and what the platform itself says about it afterwards. */
async function playThrough(deal: (connection: number) => Fate) {
  const proxy = await startCuttingProxy(inject("baseUrl"), deal);
  onTestFinished(() => proxy.stop());
  const direct = await desk.openSession();
  const phone = desk.clientOf({ baseUrl: proxy.url, maxRetries: 30 }).session(direct.id);

  const reply = phone.reply(LONG);
  const seen = await collect(reply);

  const stored = await direct.message(reply.id ?? "");
  const replayed = await collect(direct.events({ replyId: reply.id ?? "" }));
  const replies = await direct.replies.list().page();
  return { reply, seen, stored, replayed, replies: replies.data, proxy };
}

function seqsOf(events: readonly LoggedEvent[]): number[] {
  return events.map(({ seq }) => seq);
}

describe("a reply over connections that are cut", () => {
  for (const [rows, breadth] of sampled(seeds(8), 1))
    it.each(rows)("arrives whole, once and in order (seed %i)", breadth, async (seed) => {
      const fates = randomFates(seededRandom(seed), { cuts: 40, maxBytes: 6_000 });
      const { reply, seen, stored, replayed, replies, proxy } = await playThrough(fates);

      expect(proxy.fates.length).toBeGreaterThan(5);
      expect(seqsOf(seen)).toEqual(seen.map((_, index) => (seen[0]?.seq ?? 0) + index));
      expect(seen).toEqual(replayed);
      expect(JSON.stringify(reply.message())).toBe(JSON.stringify(stored.message));
      expect(replies.map(({ id, status }) => ({ id, status }))).toEqual([
        { id: reply.id, status: "completed" },
      ]);
    });

  it(
    "is started once when the first answers to its POST are lost at every stage",
    BROAD,
    async () => {
      const stages = [0, 1, 150, 400, 800, 1_200];
      const fate = (connection: number): Fate => {
        const afterBytes = stages[connection];
        return afterBytes === undefined ? { kind: "pass" } : { kind: "cut", afterBytes };
      };
      const { reply, seen, replayed, replies } = await playThrough(fate);

      expect(seen).toEqual(replayed);
      expect(replies.map(({ id }) => id)).toEqual([reply.id]);
    },
  );

  it("goes on after a time in which no connection is taken", BROAD, async () => {
    const fate = (connection: number): Fate => {
      if (connection === 0) return { kind: "cut", afterBytes: 2_000 };
      return connection < 25 ? { kind: "refuse" } : { kind: "pass" };
    };
    const { seen, replayed, proxy } = await playThrough(fate);

    expect(seen).toEqual(replayed);
    expect(proxy.fates).toHaveLength(26);
  });
});

describe("the request that starts a reply", () => {
  it("sent again gets its own reply and does not interrupt it", async () => {
    const proxy = await startCuttingProxy(inject("baseUrl"), (connection) =>
      connection < 3 ? { kind: "cut", afterBytes: 0 } : { kind: "pass" },
    );
    onTestFinished(() => proxy.stop());
    const direct = await desk.openSession();
    const phone = desk.clientOf({ baseUrl: proxy.url }).session(direct.id);

    const reply = phone.reply("/rate 200\n/words 60", { onBusy: "interrupt" });
    await collect(reply);

    const { data } = await direct.replies.list().page();
    expect(data.map(({ id, status }) => ({ id, status }))).toEqual([
      { id: reply.id, status: "completed" },
    ]);
  });

  it("with a message that the session has answered reads that answer from its start", async () => {
    const session = await desk.openSession();
    const input = { id: "m-1", content: "/say The same words." };
    const first = session.reply(input);
    const events = await collect(first);

    const again = session.reply(input);

    expect(await collect(again)).toEqual(events);
    expect(again.message()).toEqual(first.message());
  });
});
