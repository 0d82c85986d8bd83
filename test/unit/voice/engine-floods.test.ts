// Clients that flood, and providers that lie.
import { describe, expect, it } from "vitest";

import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import { audioOf, errorsOf, only, VoicePlay } from "./voice-play.ts";

describe("a client", () => {
  it("begins so many replies at a time", () => {
    const play = new VoicePlay().open();
    const effects = Array.from({ length: 30 }, (_, index) =>
      play.tell({ type: "text", text: "Hi", ref: `t${index}` }),
    ).flat();

    expect([only(effects, "begin_reply").length, errorsOf(effects).length]).toEqual([16, 14]);
  });

  it("that says what it has played of what it never got changes nothing", () => {
    const play = new VoicePlay().open();

    expect(play.tell({ type: "played", item: 77, ms: 10 })).toEqual([]);
  });

  it("that says it has played all at once is sent no more than one that says nothing", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    play.begin(1, "rep_1");
    play.model({ type: "response_created", response_id: "r" });
    const effects = Array.from({ length: 40 }, () => [
      ...play.model({
        type: "response_audio_delta",
        response_id: "r",
        item_id: "i",
        audio: audioOf(10_000),
      }),
      ...play.tell({ type: "played", item: 2, ms: 400_000 }),
    ]).flat();

    expect([only(effects, "send_audio").length, errorsOf(effects)]).toEqual([
      30,
      ["reader_too_slow"],
    ]);
  });

  it("gives audio to a provider that does not open for some seconds only", () => {
    const play = new VoicePlay();
    play.tell({ type: "client_opened", turns: "server" });
    const effects = Array.from({ length: 150 }, () => {
      play.now += 100;
      return play.tell({ type: "audio", ms: 100 });
    }).flat();

    expect(only(effects, "provider").length).toBe(101);
  });
});

/** The agent says something in `resp_rep_1`, and the user has said `in_1`. */
function lied(...events: readonly VoiceModelEvent[]): readonly unknown[] {
  const play = new VoicePlay().open();
  play.speak("in_1");
  play.begin(1, "rep_1");
  play.say("rep_1", "Hello there");
  const rest = () => {
    const { calls, past_ids: _, provider, ...others } = play.state;
    return { ...others, calls: calls.length, status: provider.status };
  };
  const before = rest();
  const effects = play.model(...events);
  expect(rest()).toEqual(before);
  return [only(effects), play.state.provider.strays];
}

describe("an event of a provider that belongs to nothing changes nothing, and is counted", () => {
  const ids = { response_id: "resp_rep_1", item_id: "item_rep_1" };
  const audio = audioOf(100);

  it.each<[name: string, events: VoiceModelEvent[], strays: number]>([
    [
      "audio of an unknown response",
      [{ type: "response_audio_delta", ...ids, response_id: "x", audio }],
      1,
    ],
    [
      "audio of an item of the user",
      [{ type: "response_audio_delta", ...ids, item_id: "in_1", audio }],
      1,
    ],
    ["audio without an item", [{ type: "response_audio_delta", ...ids, item_id: "", audio }], 1],
    [
      "an item with an endless name",
      [{ type: "response_audio_delta", ...ids, item_id: "x".repeat(600), audio }],
      1,
    ],
    ["the end of an unknown item", [{ type: "response_audio_done", ...ids, item_id: "x" }], 1],
    [
      "a text of an unknown response",
      [{ type: "response_audio_transcript_delta", ...ids, response_id: "x", delta: "a" }],
      1,
    ],
    [
      "the end of an unknown response",
      [{ type: "response_done", response_id: "x", status: "completed", usage: null }],
      1,
    ],
    ["a response that is there", [{ type: "response_created", response_id: "resp_rep_1" }], 1],
    [
      "a transcript of an unknown item",
      [{ type: "input_transcription_done", item_id: "x", transcript: "a", usage: null }],
      1,
    ],
    [
      "a turn with the id of one that is there",
      [
        { type: "input_started", item_id: "in_1", audio_start_ms: 0 },
        { type: "input_done", item_id: "in_1", audio_end_ms: 0 },
      ],
      2,
    ],
    [
      "a turn with the id of what is said",
      [{ type: "input_started", item_id: "item_rep_1", audio_start_ms: 0 }],
      1,
    ],
    [
      "a turn in which nothing was heard",
      [{ type: "input_done", item_id: "in_9", audio_end_ms: 5 }],
      1,
    ],
    [
      "an empty commit that nobody has made",
      [{ type: "error", code: "input_audio_buffer_commit_empty", message: "" }],
      1,
    ],
  ])("%s", (_, events, strays) => {
    expect(lied(...events)).toEqual([[], strays]);
  });
});

describe("a provider", () => {
  it("that gives two texts to one turn is believed once", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    play.begin(1, "rep_1");
    const texts = ["one", "two"].map((transcript) =>
      play.model({ type: "input_transcription_done", item_id: "in_1", transcript, usage: null }),
    );

    expect(texts).toEqual([[{ type: "transcribed", message_id: "msg_1", text: "one" }], []]);
  });

  it("that speaks unasked is not heard: it would be in no log", () => {
    const play = new VoicePlay().open();
    const ids = { response_id: "r", item_id: "i" };
    const effects = play.model(
      { type: "response_created", response_id: "r" },
      { type: "response_audio_delta", ...ids, audio: audioOf(100) },
    );

    expect([effects, play.state.provider.strays]).toEqual([[], 2]);
  });

  it("that says more after the end of its response is not heard", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    play.begin(1, "rep_1");
    play.say("rep_1", "Hello");
    play.endCall("rep_1");
    const ids = { response_id: "resp_rep_1", item_id: "item_rep_1" };

    expect(play.model({ type: "response_audio_delta", ...ids, audio: audioOf(100) })).toEqual([]);
  });

  it("that sends much that belongs to nothing is given up", () => {
    const play = new VoicePlay().open();
    const stray = {
      type: "response_done",
      response_id: "x",
      status: "failed",
      usage: null,
    } as const;
    const effects = play.model(...Array.from({ length: 600 }, () => stray));

    expect([only(effects, "provider"), errorsOf(effects), play.state.provider.status]).toEqual([
      [{ type: "provider", command: { type: "close" } }],
      ["voice_failed"],
      "closed",
    ]);
  });

  it("that fails again and again is told of once a second", () => {
    const play = new VoicePlay().open();
    const error = { type: "error", code: "server_error", message: "secret" } as const;
    const effects = play.model(...Array.from({ length: 50 }, () => error));
    play.now += 1_000;

    expect([errorsOf(effects), errorsOf(play.model(error)), JSON.stringify(play.all)]).toEqual([
      ["voice_failed"],
      ["voice_failed"],
      expect.not.stringContaining("secret"),
    ]);
  });

  it("that begins turn after turn, and response after response, is bounded", () => {
    const play = new VoicePlay({ mode: "cascade" }).open();
    play.tell({ type: "text", text: "Hi" });
    for (let index = 0; index < 2_000; index += 1) {
      play.now += 100;
      play.tell({ type: "audio", ms: 100 });
      play.model(
        { type: "input_started", item_id: `in_${index}`, audio_start_ms: Number.NaN },
        { type: "input_done", item_id: `in_${index}`, audio_end_ms: Number.POSITIVE_INFINITY },
        { type: "response_created", response_id: `resp_${index}` },
        {
          type: "response_audio_delta",
          response_id: `resp_${index}`,
          item_id: `i_${index}`,
          audio: audioOf(1),
        },
      );
    }
    const { turns, calls, past_ids } = play.state;

    expect([turns.length, calls.length <= 16, past_ids.length]).toEqual([16, true, 256]);
  });

  it("writes no text without an end", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    play.begin(1, "rep_1");
    const [told] = play.model({
      type: "input_transcription_done",
      item_id: "in_1",
      transcript: "a".repeat(100_000),
      usage: null,
    });

    expect(told).toEqual({ type: "transcribed", message_id: "msg_1", text: "a".repeat(32_000) });
  });
});
