// Several voice connections of one session whose object sleeps: all of them go on, each as it began.
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { openSession } from "../support/api.ts";
import { VoiceSocket } from "../support/voice-socket.ts";

const VOICE = { mode: "realtime", model: { provider: "scripted" }, connections: 2 } as const;

async function openVoiceSession(voice: object) {
  const model = { provider: "scripted", name: "plain" };
  const opened = await openSession({ name: "Talker", model, voice: { ...VOICE, ...voice } });
  const { tenantId, session } = opened;
  const object = () => env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  return { ...opened, sleep: () => evictDurableObject(object()) };
}

/** Each event once from where a connection began: the later one has not what was there before it. */
const inOrder = ({ seqs: [first = 0, ...rest] }: VoiceSocket) => [
  first,
  ...rest.map((_, index) => first + index + 1),
];

test("all of them hear what one asks for, and no event is lost or doubled", async () => {
  const { path, call, sleep } = await openVoiceSession({
    turns: { type: "manual" },
    idle_seconds: 1,
  });
  const one = await VoiceSocket.open(path, call);
  const other = await VoiceSocket.open(path, call);
  const askers = [one, other, one];
  for (const [index, asker] of askers.entries()) {
    asker.send({ type: "text", text: `/say Number ${index + 1}.` });
    for (const each of [one, other]) await each.until(() => each.ends() === index + 1);
    await sleep();
  }

  for (const each of [one, other]) {
    await each.until(() => each.heard.length === 3);
    expect(each.heard).toEqual(["Number 1.", "Number 2.", "Number 3."]);
    expect(each.seqs).toEqual(inOrder(each));
    each.leave();
  }
});

test("turns by hand and turns that are found go on beside each other", async () => {
  const { path, call, sleep } = await openVoiceSession({ idle_seconds: 1 });
  const byHand = await VoiceSocket.open(path, call, { turns: "manual" });
  const found = await VoiceSocket.open(path, call);
  byHand.speak("/say By hand.");
  byHand.send({ type: "commit" });
  await found.until(() => found.ends() === 1);
  await sleep();
  found.speak("/say Found.");
  found.silence(1_500);
  await byHand.until(() => byHand.ends() === 2);
  await sleep();
  byHand.speak("/say By hand again.");
  byHand.send({ type: "commit" });

  for (const each of [byHand, found]) {
    await each.until(() => each.heard.length === 3);
    expect(each.heard).toEqual(["By hand.", "Found.", "By hand again."]);
    expect(each.seqs).toEqual(inOrder(each));
    each.leave();
  }
});
