// Audio that is kept: what the log says of it, and what the engine tells of items that are over.
import { describe, expect, test } from "vitest";

import { wavFile } from "../../../agent/voice/wav-file.ts";
import { AudioPieces } from "../../../durable-objects/voice/audio-pieces.ts";
import { fileIdsIn } from "../../../durable-objects/settings/file-ids-in.ts";
import { appendEvent } from "../../../protocol/fold/append-event.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { loggedEvents, SPOKEN_LOG, spokenMessage } from "../../support/voice/spoken-log.ts";
import { only, VoicePlay } from "./voice-play.ts";

const URL = "https://reprise.example/v1/files/fil_01m8q645pgagdj0419s7gvgdc7/content";

function kept(message_id: string, value: object): object {
  return { type: "CUSTOM", name: "speech_kept", value: { message_id, ...value } };
}

function folded(message: Msg, ...events: readonly object[]): Msg {
  return loggedEvents(events).reduce(
    (before, event) => appendEvent(deepFreeze(before), event),
    message,
  );
}

describe("the event of audio that was kept", () => {
  test("names each file of a message once, with the block that it says", () => {
    const spoken = spokenMessage("m1");
    const once = folded(spoken, kept("m1", { url: URL, ms: 700, more: true }));
    const twice = folded(once, kept("m1", { url: URL, ms: 700, block_id: "b1" }));

    expect(twice.metadata).toEqual({
      ...spoken.metadata,
      kept_audio: [
        { url: URL, ms: 700 },
        { url: URL, ms: 700, block_id: "b1" },
      ],
    });
    expect(folded(twice, kept("m1", { url: URL, ms: 700 }))).toBe(twice);
  });

  test.each([
    [{}],
    [{ url: URL }],
    [{ url: null, ms: 1 }],
    [{ url: URL, ms: "1" }],
    [{ url: [URL], ms: 1 }],
  ])("is ignored with another shape: %j", (value) => {
    const message = spokenMessage("m1");

    expect(folded(message, kept("m1", value), kept("m2", { url: URL, ms: 1 }))).toBe(message);
  });

  test("lets whoever copies a message find its files, whatever else is in its metadata", () => {
    const message = (kept_audio: unknown) => ({ content: [], metadata: { kept_audio } });

    expect([
      fileIdsIn(message([{ url: URL, ms: 7 }, null, 7, {}, { url: "https://x/y", ms: 1 }])),
      fileIdsIn(message("none")),
      fileIdsIn({ content: [] }),
    ]).toEqual([["fil_01m8q645pgagdj0419s7gvgdc7"], [], []]);
  });

  test("is a CUSTOM alone in AG-UI, whose messages have no place for it", () => {
    const translator = sessionTranslator(SPOKEN_LOG);
    for (const event of SPOKEN_LOG) translator.push(event);
    const [event] = loggedEvents([kept("m1", { url: URL, ms: 700 })]);
    const frames = event ? translator.push({ ...event, seq: SPOKEN_LOG.length + 1 }) : [];

    expect(frames.map(({ event: { type } }) => type).filter((type) => type !== "CUSTOM")).toEqual(
      [],
    );
  });
});

describe("an item of an agent that keeps audio is over", () => {
  function answering(): VoicePlay {
    const play = new VoicePlay({ keeps_audio: true }).open();
    play.speak("in_1");
    play.begin(1, "rep_1");
    play.say("rep_1", "Hello there");
    return play;
  }
  const over = (play: VoicePlay) => only(play.all, "item_over");
  const of = { message_id: "rep_1", block_id: "blk_rep_1" };

  test("when it has been played, as long as it is", () => {
    const play = answering();
    play.endCall("rep_1");
    play.tell({ type: "played", item: 2, ms: 800 });

    expect(over(play)).toEqual([{ type: "item_over", item: 2, heard_ms: 800, of }]);
  });

  test("when the user has cut it off, as far as it was heard", () => {
    const play = answering();
    play.endCall("rep_1");
    play.tell({ type: "played", item: 2, ms: 300 }, { type: "text", text: "Stop" });
    play.tell({ type: "played", item: 2, ms: 450 });

    expect(over(play)).toEqual([{ type: "item_over", item: 2, heard_ms: 450, of }]);
  });

  test("when the client has gone, as far as it had played it", () => {
    const play = answering();
    play.tell({ type: "played", item: 2, ms: 300 }, { type: "client_closed" });

    expect(over(play)).toEqual([{ type: "item_over", item: 2, heard_ms: 300, of }]);
  });

  test("when its try has failed, of which nothing counts as heard", () => {
    const play = answering();
    play.model({ type: "response_done", response_id: "resp_rep_1", status: "failed", usage: null });
    const value = { reply_id: "rep_1", discard_block_ids: ["blk_rep_1"] };
    play.log({ type: "CUSTOM", name: "reply_recovered", reply_id: "rep_1", value });

    expect(over(play)).toMatchObject([{ item: 2, heard_ms: 0 }]);
  });
});

describe("pieces of audio", () => {
  test("are cut by their places, which stay when the beginning is forgotten, in whole samples", () => {
    const audio = new AudioPieces();
    for (const piece of [[1, 2, 3], [4], [5, 6, 7, 8, 9]]) audio.push(Uint8Array.from(piece));
    const bytes = (from: number, to: number) =>
      audio
        .cut(from, to)
        .list()
        .flatMap((piece) => [...piece]);

    expect([bytes(2, 6), bytes(0, 3), bytes(6, 99), bytes(7, 2)]).toEqual([
      [3, 4, 5, 6],
      [1, 2],
      [7, 8],
      [],
    ]);
    audio.forget(5);
    expect([audio.byteLength, bytes(2, 6), audio.cut(2, 6).byteLength]).toEqual([5, [5, 6], 2]);
  });

  test("are a WAV file of as many bytes as they have", () => {
    const file = wavFile([Uint8Array.of(1, 2), Uint8Array.of(3, 4)], 16_000);
    const view = new DataView(file.buffer);

    expect([file.byteLength, view.getUint32(4, true), view.getUint32(40, true)]).toEqual([
      48, 40, 4,
    ]);
    expect([...file.subarray(44)]).toEqual([1, 2, 3, 4]);
  });
});
