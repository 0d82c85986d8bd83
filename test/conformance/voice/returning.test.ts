// A client that loses its network: the reply goes on, and what was missed comes as text.
import { expect, test } from "vitest";

import { openVoiceDesk, readConversation } from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

test("a client that comes back gets the events that it missed, and no audio of before", async () => {
  const desk = await openVoiceDesk();
  const first = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  first.send({ type: "text", text: "/say One.\n/wait 300\n/rate 20\n/say Two three four." });
  const start = await first.event(({ type }) => type === "REPLY_START");
  await first.close();
  const after = first.events.at(-1)?.seq ?? start.seq;
  const second = await VoiceClient.connect(desk.sessionId, { key: desk.key, start: { after } });
  await second.event(isEnd);
  const seqs = [...first.events, ...second.events].map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
  expect(await readConversation(desk)).toMatchObject([
    expect.stringContaining("/say One."),
    "assistant: One.Two three four.",
  ]);
  second.speak("/say And on.");
  second.send({ type: "commit" });
  await second.until(() => second.events.filter(isEnd).length === 2);
  await second.until(() => second.heard().some(({ text }) => text === "And on."));
  expect(second.errors).toEqual([]);
  await second.close();
});

test("a client without a cursor begins with what happens from now on", async () => {
  const desk = await openVoiceDesk();
  const first = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  first.send({ type: "text", text: "/say One." });
  const end = await first.event(isEnd);
  await first.close();
  const second = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  expect(second.started?.cursor).toBe(end.seq);
  second.send({ type: "text", text: "/say Two." });
  await second.event(isEnd);
  expect(Math.min(...second.events.map(({ seq }) => seq))).toBe(end.seq + 1);
  await second.close();
});

test("the numbers of items go on where a client comes back to a session that speaks", async () => {
  const desk = await openVoiceDesk();
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  for (const word of ["One", "Two"]) client.send({ type: "text", text: `/say ${word}.` });
  await client.until(() => client.events.filter(isEnd).length === 2);
  await client.until(() => client.heard().length > 0);
  const items = client.heard().map(({ item }) => item);
  expect(items).toEqual([...new Set(items)]);
  await client.close();
});
