// People who cut in: what agents have said is what was heard, for everybody who hears of it.
import { describe, expect, it } from "vitest";

import { getTextContent } from "../../../protocol/messages/accessors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { CASCADE, readConversation, REALTIME } from "../../support/voice/voice-desk.ts";
import {
  heardSpeakers,
  lines,
  openSpeakingRoom,
  ownFrames,
  type SpeakingRoom,
  untilEnded,
  untilItems,
  untilReady,
} from "../../support/voice/room-voice.ts";
import { request } from "../../support/platform-client.ts";
import type { ConnectOptions, VoiceClient } from "../../support/voice/voice-client.ts";

const LONG = "One two three four five six seven eight nine ten.";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

/** A person in the middle of hearing Ann, whose reply has ended; Bob has not begun. */
async function hearing(
  room: SpeakingRoom,
  options: ConnectOptions = {},
): Promise<{ mia: VoiceClient; item: number }> {
  const mia = await room.connect("Mia", { plays: false, ...options });
  await untilReady(mia);
  mia.speak(`Go.\n/say ${LONG}`);
  mia.send({ type: "commit" });
  await mia.event(isEnd);
  await mia.until(() => mia.frames.some(({ type }) => type === "audio_end"));
  const end = mia.frames.find(({ type }) => type === "audio_end");
  const item = end && "item" in end ? end.item : 0;
  mia.played(item, 500);
  return { mia, item };
}

function sessionOf({ room }: SpeakingRoom, name: string): string {
  return room.participants.find((one) => one.name === name)?.session_id ?? "";
}

describe.each([
  ["realtime", REALTIME],
  ["cascade", CASCADE],
])("in mode %s", (_mode, voice) => {
  it("a person who speaks is heard before the discussion goes on", async () => {
    const room = await openSpeakingRoom({ voice });
    const { mia, item } = await hearing(room);
    mia.speak(lines("Yes?", "No."));
    await mia.until(() => mia.frames.some(({ type }) => type === "audio_clear"));
    mia.played(item, 500);
    mia.send({ type: "commit" });
    await untilEnded(mia);
    const next = await untilItems(mia, 2);
    mia.played(next, 60_000);
    const last = await untilItems(mia, 3);
    mia.played(last, 60_000);
    await untilEnded(mia, 2);

    expect(await room.said()).toEqual([
      "Mia: Go.",
      "ann: One two",
      "Mia: Go.",
      "ann: Yes?",
      "bob: No.",
    ]);
    expect(heardSpeakers(mia).slice(1)).toEqual(["ann: Yes? /say No.", "bob: No."]);
    const bob = await readConversation({ key: room.key, sessionId: sessionOf(room, "bob") });
    expect(bob.map((line) => line.split("\n")[0])).toEqual([
      "user: Go.",
      "user: One two",
      "user: Go.",
      "user: Yes?",
      "assistant: <hint>|No.",
    ]);
  });
});

describe("the floor", () => {
  const people = ["Mia", "Tom"].map((name) => ({ name, kind: "person" }));

  it("is one person's: another one is told so, and not heard", async () => {
    const room = await openSpeakingRoom({ people });
    const mia = await room.connect("Mia");
    const tom = await room.connect("Tom");
    await untilReady(tom);
    mia.speak(lines("Mine.", "Hers."));
    await mia.until(() => true);
    tom.speak("/say Not heard.");
    await tom.until(() => ownFrames(tom).some(({ type }) => type === "floor_taken"));
    tom.send({ type: "commit", id: "mine" });
    await tom.until(() => tom.errors.length > 0);
    mia.send({ type: "commit" });
    await untilEnded(tom);

    expect(ownFrames(tom)).toContainEqual({ type: "floor_taken", participant: "Mia" });
    expect(tom.errors).toMatchObject([{ code: "validation_failed", ref: "mine" }]);
    expect(await room.said()).toEqual(["Mia: Go.", "ann: Mine.", "bob: Hers."]);
    await Promise.all([untilItems(tom, 2), untilItems(mia, 2)]);
    expect(heardSpeakers(tom)).toEqual(heardSpeakers(mia));
  });

  it("is given by the played part of whoever has heard most", async () => {
    const room = await openSpeakingRoom({ people });
    const tom = await room.connect("Tom", { plays: false });
    const { mia, item } = await hearing(room);
    tom.played(item, 200);
    mia.send({ type: "interrupt" });
    await Promise.all(
      [mia, tom].map((one) =>
        one.until(() => one.frames.some(({ type }) => type === "audio_clear")),
      ),
    );
    tom.played(item, 220);
    mia.played(item, 500);
    await mia.until(() => mia.customs("speech_truncated").length > 0);
    await untilEnded(mia);

    expect(mia.customs("speech_truncated")).toMatchObject([{ text: "One two", played_ms: 500 }]);
    expect((await room.said()).at(-1)).toBe("ann: One two");
    expect((await room.now()).last_end?.reason).toBe("interrupted");
  });

  it("is of nobody whose token lacks the verb, who types when nobody is heard", async () => {
    const room = await openSpeakingRoom();
    const tokenOf = async (verbs: readonly string[]) => {
      const body = { participant: "Mia", verbs };
      const asked = { key: room.key, body };
      return (await request<{ token: string }>("POST", `${room.path}/tokens`, asked)).body.token;
    };
    const spoken = await hearing(room, { key: await tokenOf(["read", "speak"]) });
    spoken.mia.send({ type: "interrupt", id: "cut" });
    spoken.mia.send({ type: "text", text: "/say Wait.", id: "typed" });
    await spoken.mia.until(() => spoken.mia.errors.length === 2);
    spoken.mia.played(spoken.item, 60_000);
    const second = await untilItems(spoken.mia, 2);
    spoken.mia.played(second, 60_000);
    await untilEnded(spoken.mia);
    const errors = [...spoken.mia.errors];
    spoken.mia.send({ type: "text", text: lines("I hear.", "So do I."), id: "msg-late" });
    await untilEnded(spoken.mia, 2);

    expect(errors).toMatchObject([
      { code: "verb_missing", ref: "cut" },
      { code: "verb_missing", ref: "typed" },
    ]);
    expect(spoken.mia.customs("speech_truncated")).toEqual([]);
    expect(spoken.mia.errors).toHaveLength(2);
    expect((await room.said()).slice(0, 2)).toEqual(["Mia: Go.", `ann: ${LONG}`]);
  });

  it("is a person's who types as well", async () => {
    const room = await openSpeakingRoom();
    const { mia, item } = await hearing(room);
    mia.send({ type: "text", text: "/say Wait.", id: "msg-typed" });
    await mia.until(() => mia.frames.some(({ type }) => type === "audio_clear"));
    mia.played(item, 0);
    await untilEnded(mia);
    const added = mia.events.flatMap((event) =>
      event.type === "CUSTOM" && event.name === "message_added"
        ? [event.value["message"] as unknown as Msg]
        : [],
    );

    expect(added.map((message) => [message.name, getTextContent(message)]).at(-1)).toEqual([
      "Mia",
      "/say Wait.",
    ]);
  });
});
