// Two agents and a person, one of whom loses its realtime provider in the middle of a sentence.
import { expect, onTestFinished, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { PROVIDERS, type RealtimeProvider } from "../../support/voice/providers/providers.ts";
import {
  heardSpeakers,
  openSpeakingRoom,
  untilEnded,
  untilItems,
  untilReady,
} from "../../support/voice/room-voice.ts";

const TITLE = "an agent over %s that is cut in its sentence goes on, and the other one hears it";
/** Qwen-Omni takes no text, so that the agent's own model answers in a room. */
const rows = PROVIDERS.filter(({ name }) => name !== "dashscope").map(
  (provider) => [provider.name, provider] as const,
);

test.each(rows.slice(0, 1))(TITLE, loseProvider);
test.each(rows.slice(1))(TITLE, BROAD, loseProvider);

async function loseProvider(_name: string, { start, model }: RealtimeProvider): Promise<void> {
  const fake = await start();
  onTestFinished(() => fake.stop());
  const room = await openSpeakingRoom({ voice: { mode: "realtime", model: model(fake.url) } });
  const mia = await room.connect();
  await untilReady(mia);
  const cut = Promise.withResolvers<void>();
  let pieces = 0;
  // The first answer stays in the middle until the cut.
  fake.traps.pace = () => {
    pieces += 1;
    return pieces === 3 ? cut.promise : Promise.resolve();
  };
  mia.speak("Hello.");
  mia.send({ type: "commit" });
  await mia.until(() => mia.frames.some(({ type }) => type === "binary"));
  (await fake.server.client(0)).destroy();
  cut.resolve();
  await untilEnded(mia);
  await untilItems(mia, 3);

  const [asked, ...said] = await room.said();
  expect([asked, said.map((line) => line.split(":")[0])]).toEqual(["Mia: Hello.", ["ann", "bob"]]);
  // The sentence that was cut is said anew, and nothing else.
  const [lost = "", ...heard] = heardSpeakers(mia);
  expect(heard).toEqual(said);
  expect(said[0]?.startsWith(lost)).toBe(true);
  const seqs = mia.events.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
  const ends = mia.events.filter(({ type }) => type === "REPLY_END");
  expect(ends).toHaveLength(2);
  await mia.close();
}
