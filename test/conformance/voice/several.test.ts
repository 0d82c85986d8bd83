// Several voice connections of one session: all hear what is said, and one speaks at a time.
import { expect, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";
import {
  CASCADE,
  openVoiceDesk,
  readConversation,
  readMessages,
} from "../../support/voice/voice-desk.ts";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

/** A desk whose agent allows so many, and as many clients of one key each. */
async function openSeveral(count: number, voice: object = {}) {
  const desk = await openVoiceDesk({ connections: count, ...voice });
  const keys = await Promise.all(Array.from({ length: count }, () => createKey(desk.key)));
  const clients: VoiceClient[] = [];
  for (const { key } of keys) clients.push(await VoiceClient.connect(desk.sessionId, { key }));
  return { desk, keys, clients };
}

/** Items that have come whole. */
const endsOf = ({ frames }: VoiceClient) =>
  frames.filter(({ type }) => type === "audio_end").length;

/** An API key of the tenant's own, beside its first. */
async function createKey(key: string) {
  const json = { name: "A phone", scopes: ["replies:write", "sessions:read"] };
  const { body } = await request<{ id: string; api_key: string }>("POST", "/v1/api-keys", {
    key,
    body: json,
  });
  return { id: body.id, key: body.api_key };
}

test.each([
  ["realtime", {}],
  ["cascade", CASCADE],
])("all hear what one has asked for, and read who it was (%s)", async (_, voice) => {
  const { desk, keys, clients } = await openSeveral(2, voice);
  const [one, other] = clients as [VoiceClient, VoiceClient];
  one.speak("/say First.");
  one.send({ type: "commit" });
  await other.event(isEnd);
  await Promise.all(clients.map((client) => client.until(() => endsOf(client) === 1)));
  other.speak("/say Second.");
  other.send({ type: "commit" });
  await Promise.all(clients.map((client) => client.until(() => endsOf(client) === 2)));

  expect(clients.map((client) => client.heard().map(({ text }) => text))).toEqual([
    ["First.", "Second."],
    ["First.", "Second."],
  ]);
  await one.until(() => one.customs("speech_transcribed").length === 2);
  await one.until(() => one.events.filter(isEnd).length === 2);
  const spokenBy = one.events.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "speech_transcribed" ? [event.metadata] : [],
  );
  expect(spokenBy).toMatchObject(keys.map(({ id }) => ({ spoken_by: { kind: "api_key", id } })));
  expect(await readConversation(desk)).toEqual([
    "user: /say First.",
    "assistant: First.",
    "user: /say Second.",
    "assistant: Second.",
  ]);
  for (const client of clients) await client.close();
});

test("one that speaks while another one does is not heard, and is told so once", async () => {
  const { desk, clients } = await openSeveral(2);
  const [one, other] = clients as [VoiceClient, VoiceClient];
  one.speak("/say Mine.");
  other.speak("/say Yours.");
  other.send({ type: "commit", id: "c" });
  await other.until(() => other.errors.length === 2);
  one.send({ type: "commit" });
  await one.event(isEnd);

  expect([one.errors, other.errors]).toMatchObject([
    [],
    [{ code: "floor_taken" }, { code: "floor_taken", ref: "c" }],
  ]);
  expect(await readConversation(desk)).toEqual(["user: /say Mine.", "assistant: Mine."]);
  for (const client of clients) await client.close();
});

test("one that is not heard may write, and what all have heard most of stays", async () => {
  const { desk, keys, clients } = await openSeveral(2);
  const [one, other] = clients as [VoiceClient, VoiceClient];
  one.send({ type: "text", text: "/wait 1\n/rate 40\n/say One two three four five six seven." });
  await one.until(() => one.receivedMs(1) > 0 && other.receivedMs(1) > 0);
  other.send({ type: "text", id: "msg_other", text: "/say Stop." });
  await one.event((event) => event.type === "REPLY_END" && one.events.filter(isEnd).length === 2);
  const messages = await readMessages(desk);

  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(messages[2]?.id).toBe("msg_other");
  expect(clients.map((client) => client.frames.some(({ type }) => type === "audio_clear"))).toEqual(
    [true, true],
  );
  const interrupted = one.events.flatMap((event) =>
    event.type === "USER_INTERRUPT" ? [event.metadata] : [],
  );
  expect(interrupted).toMatchObject([{ decided_by: { kind: "api_key", id: keys[1]?.id } }]);
  for (const client of clients) await client.close();
});

test("a connection too many takes the place of the oldest of its key", async () => {
  const { desk, keys, clients } = await openSeveral(2);
  const [, second] = keys;
  const third = await VoiceClient.connect(desk.sessionId, { key: second?.key ?? "" });

  expect(await clients[1]?.untilClosed()).toEqual({ code: 4409, reason: "voice_connected" });
  third.send({ type: "text", text: "/say Here." });
  await clients[0]?.event(isEnd);
  expect([clients[0]?.closed, third.closed]).toEqual([null, null]);
  await clients[0]?.close();
  await third.close();
});

test("the others go on when the one that speaks is lost", async () => {
  const { desk, clients } = await openSeveral(2);
  const [one, other] = clients as [VoiceClient, VoiceClient];
  one.speak("/say Half");
  await one.close();
  other.speak("/say Whole.");
  other.send({ type: "commit" });
  await other.event(isEnd);

  expect([other.errors, await readConversation(desk)]).toEqual([
    [],
    ["user: /say Whole.", "assistant: Whole."],
  ]);
  await other.close();
});

test("an agent allows four at most", async () => {
  const desk = await openVoiceDesk();
  const { status, body } = await request<{ errors: unknown }>("POST", "/v1/agents", {
    key: desk.key,
    body: {
      name: "Party line",
      model: { provider: "scripted", name: "plain" },
      voice: { mode: "realtime", model: { provider: "scripted" }, connections: 5 },
    },
  });

  expect([status, body.errors]).toMatchObject([400, [{ pointer: "#/voice/connections" }]]);
});
