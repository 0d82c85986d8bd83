// The running platform behind voice connections that are cut.
import { expect, inject, it, onTestFinished } from "vitest";

import type { LoggedEvent } from "../../sdk/index.ts";
import { sampled, seeds } from "../support/breadth.ts";
import { collect } from "../support/collect.ts";
import { randomFates, startCuttingProxy, type Fate } from "../support/cutting-proxy.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { waitFor } from "../support/wait-for.ts";
import { openDesk } from "./desk.ts";

const desk = await openDesk({
  tools: [],
  voice: { mode: "realtime", model: { provider: "scripted" } },
});

it("what an agent says comes as audio and as events, and ends in order", async () => {
  const session = await desk.openSession();
  const voice = await session.speak();
  const events: LoggedEvent[] = [];
  const heard = { bytes: 0, items: new Set<number>(), ended: 0 };
  voice.on("event", (event) => void events.push(event));
  voice.on("audio", ({ item, pcm }) => {
    heard.bytes += pcm.byteLength;
    heard.items.add(item);
  });
  voice.on("audio_end", ({ item, ms }) => {
    heard.ended = ms;
    voice.played(item, ms);
  });

  const id = voice.text("/say Hello.");

  await waitFor(() => expect(events.map(({ type }) => type)).toContain("REPLY_END"));
  await waitFor(() => expect(heard.ended).toBeGreaterThan(0));
  // 24,000 samples of two bytes a second.
  expect(heard.bytes).toBe(heard.ended * 48);
  expect(heard.items.size).toBe(1);
  // Speech is counted behind the reply.
  await waitFor(async () => expect(events).toEqual(await collect(session.events())));
  const { data } = await session.messages.list().page();
  expect(data.map((message) => message.id)).toContain(id);
  voice.close();
  expect(await voice.closed).toBe(null);
});

for (const [rows, breadth] of sampled(seeds(4), 1))
  it.each(rows)(
    "a spoken reply is told once and in order over voice connections that are cut (seed %i)",
    breadth,
    async (seed) => {
      const others = randomFates(seededRandom(seed), { cuts: 8, maxBytes: 20_000 });
      // Typed text is sent before the first cut, which is behind the start.
      const first: Fate = { kind: "cut", afterBytes: 3_000 };
      const deal = (socket: number) => (socket === 0 ? first : others(socket));
      const proxy = await startCuttingProxy(inject("baseUrl"), deal, "sockets");
      onTestFinished(() => proxy.stop());
      const direct = await desk.openSession();
      const voice = await desk.clientOf({ baseUrl: proxy.url }).session(direct.id).speak();
      const events: LoggedEvent[] = [];
      voice.on("event", (event) => void events.push(event));

      voice.text("/say One, two, three, four, five.");

      await waitFor(() => expect(events.map(({ type }) => type)).toContain("REPLY_END"));
      // The last connection is told that it was opened, which others may have been meanwhile.
      await waitFor(async () => expect(events).toEqual(await collect(direct.events())));
      voice.close();
      expect(proxy.fates.length).toBeGreaterThan(1);
    },
  );
