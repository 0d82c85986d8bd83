// Events over WebSockets that are cut: behind each of their frames, and inside of them.
import { describe, expect, inject, it, onTestFinished } from "vitest";

import type { ConnectionState, LoggedEvent, TenantSession } from "../../sdk/index.ts";
import { BROAD, sampled, seeds, walkFrom } from "../support/breadth.ts";
import { collect } from "../support/collect.ts";
import { randomFates, startCuttingProxy, type Fate } from "../support/cutting-proxy.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { openDesk } from "./desk.ts";

const LONG = '/think Let me see.\n/rate 400\n/call lookup_order {"order_id":"A-1001"}\n/words 150';
const STORY =
  '/think Hm, wörd by wörd.\n/call lookup_order {"order_id":"A-1001"}\n/say Found it. 👋';
const desk = await openDesk();

/** A client whose WebSockets have these fates. */
async function phoneWith(deal: (socket: number) => Fate) {
  const proxy = await startCuttingProxy(inject("baseUrl"), deal, "sockets");
  onTestFinished(() => proxy.stop());
  return { proxy, phone: desk.clientOf({ baseUrl: proxy.url, transport: "websocket" }) };
}

/** The first socket is cut behind these frames, the second one inside of its second frame; all others hold. */
function cutTwice(afterFrames: number): (socket: number) => Fate {
  return (socket) => {
    if (socket === 0) return { kind: "cut", afterFrames, afterBytes: 0 };
    return socket === 1 ? { kind: "cut", afterFrames: 2, afterBytes: 5 } : { kind: "pass" };
  };
}

async function play(session: TenantSession): Promise<readonly LoggedEvent[]> {
  await collect(session.reply(STORY));
  return collect(session.events());
}

describe("a session over WebSockets", () => {
  it("has the events of its streams, and their states", async () => {
    const direct = await desk.openSession();
    const { phone, proxy } = await phoneWith(() => ({ kind: "pass" }));
    const states: ConnectionState[] = [];
    const session = phone.session(direct.id);
    const reply = session.reply(STORY, { onConnectionChange: (state) => states.push(state) });

    const events = await collect(reply);

    expect(events).toEqual(await collect(direct.events({ replyId: reply.id ?? "" })));
    expect(states).toEqual(["connecting", "open", "closed"]);
    expect(proxy.fates).toHaveLength(1);
    expect(reply.message()).toEqual((await direct.message(reply.id ?? "")).message);
  });

  it("ends its events where nothing is left to say", async () => {
    const direct = await desk.openSession();
    const all = await play(direct);
    const { phone } = await phoneWith(() => ({ kind: "pass" }));

    const session = phone.session(direct.id);

    expect(await collect(session.events())).toEqual(all);
    expect(await collect(session.events({ after: all.at(-1)?.seq }))).toEqual([]);
  });

  it("is the same over a cut behind each frame and one inside of a frame after it", async () => {
    const direct = await desk.openSession();
    const all = await play(direct);

    // The head of the socket is the first frame, and its close the last one.
    for (const frames of walkFrom(0, all.length + 2)) {
      const { phone } = await phoneWith(cutTwice(frames));
      const events = await collect(phone.session(direct.id).events());
      expect({ frames, events }).toEqual({ frames, events: all });
    }
  });
});

it(
  "a room over WebSockets has the events of its streams, over a cut behind each frame",
  BROAD,
  async () => {
    const mia = { name: "Mia", kind: "person" } as const;
    const participants = [{ name: "Ada", agent_id: desk.agentId }, mia];
    const direct = await desk.reprise.rooms.create({ participants });
    await collect(direct.discuss("/say Hello, wörld 👋", { participant: "Mia" }));
    const all = await collect(direct.events());

    for (const frames of walkFrom(0, all.length + 2)) {
      const { phone } = await phoneWith(cutTwice(frames));
      const events = await collect(phone.room(direct.id).events());
      expect({ frames, events }).toEqual({ frames, events: all });
    }
  },
);

describe("a reply over WebSockets that are cut", () => {
  for (const [rows, breadth] of sampled(seeds(8), 1))
    it.each(rows)("arrives whole, once and in order (seed %i)", breadth, async (seed) => {
      const fates = randomFates(seededRandom(seed), { cuts: 40, maxBytes: 1_500 });
      const direct = await desk.openSession();
      const { phone, proxy } = await phoneWith(fates);

      const reply = phone.session(direct.id).reply(LONG);
      const seen = await collect(reply);

      expect(proxy.fates.length).toBeGreaterThan(5);
      expect(seen).toEqual(await collect(direct.events({ replyId: reply.id ?? "" })));
      const stored = await direct.message(reply.id ?? "");
      expect(JSON.stringify(reply.message())).toBe(JSON.stringify(stored.message));
    });

  it("goes on after a time in which no socket is taken", BROAD, async () => {
    const direct = await desk.openSession();
    const { phone, proxy } = await phoneWith((socket) => {
      if (socket === 0) return { kind: "cut", afterBytes: 2_000 };
      return socket < 25 ? { kind: "refuse" } : { kind: "pass" };
    });

    const seen = await collect(phone.session(direct.id).reply(LONG));

    expect(seen).toEqual(await collect(direct.events({ replyId: seen[0]?.reply_id })));
    expect(proxy.fates).toHaveLength(26);
  });

  it("that falls silent is opened anew", async () => {
    const direct = await desk.openSession();
    const all = await play(direct);
    const proxy = await startCuttingProxy(
      inject("baseUrl"),
      (socket) => (socket === 0 ? { kind: "stall", afterBytes: 1_500 } : { kind: "pass" }),
      "sockets",
    );
    onTestFinished(() => proxy.stop());
    const reconnect = { firstDelayMs: 2, maxDelayMs: 20, stallMs: 400 };
    const phone = desk.clientOf({ baseUrl: proxy.url, transport: "websocket", reconnect });

    expect(await collect(phone.session(direct.id).events())).toEqual(all);
    expect(proxy.fates.length).toBeGreaterThan(1);
  });
});
