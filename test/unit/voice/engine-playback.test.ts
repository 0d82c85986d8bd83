// Audio of the agent on its way to the client, and sockets that go and come back.
import { describe, expect, it } from "vitest";

import type { VoiceEffect } from "../../../agent/voice/engine/voice-effect.ts";
import { audioOf, errorsOf, only, VoicePlay } from "./voice-play.ts";

const started = { type: "input_started", item_id: "in_2", audio_start_ms: 1_000 } as const;

function answering(): VoicePlay {
  const play = new VoicePlay().open();
  play.speak("in_1");
  play.begin(1, "rep_1");
  return play;
}

describe("audio of the agent", () => {
  it("has the number of its item and its place in it, and an end", () => {
    const play = answering();
    const said = play.say("rep_1", "Hello there", 250);

    expect([only(said, "send_audio"), play.endCall("rep_1")]).toEqual([
      [
        { type: "send_audio", item: 2, ms: 0, audio: 4_000 },
        { type: "send_audio", item: 2, ms: 250, audio: 4_000 },
      ],
      [
        { type: "send", frame: { type: "audio_end", item: 2, ms: 500 } },
        { type: "said", message_id: "rep_1", audio: { output_ms: 500 } },
      ],
    ]);
  });

  it("is over when the client has played it", () => {
    const play = answering();
    play.say("rep_1", "Hello");
    play.endCall("rep_1");
    play.tell({ type: "played", item: 2, ms: 390 });

    expect(play.state.calls).toEqual([]);
  });

  it("plays on while a call of its turn waits, and the answer's reply is spoken", () => {
    const play = answering();
    play.say("rep_1", "Shall I?");
    play.endCall("rep_1");
    const waits = play.log({ type: "REQUIRE_USER_CONFIRM", reply_id: "rep_1", tool_calls: [] });
    play.log({ type: "MODEL_CALL_START", reply_id: "rep_1" });
    const more = play.model(
      { type: "response_created", response_id: "resp_2" },
      {
        type: "response_audio_delta",
        response_id: "resp_2",
        item_id: "item_2",
        audio: audioOf(100),
      },
    );

    expect([waits, only(more)]).toEqual([
      [],
      [{ type: "send_audio", item: 3, ms: 0, audio: 1_600 }],
    ]);
  });

  it("of a try that failed is thrown away, and said anew", () => {
    const play = answering();
    play.say("rep_1", "Hello there");
    play.model({ type: "response_done", response_id: "resp_rep_1", status: "failed", usage: null });
    const back = play.log(
      {
        type: "CUSTOM",
        name: "reply_recovered",
        reply_id: "rep_1",
        value: { reply_id: "rep_1", discard_block_ids: ["blk_rep_1"] },
      },
      { type: "MODEL_CALL_END", reply_id: "rep_1" },
      { type: "MODEL_CALL_START", reply_id: "rep_1" },
    );
    const again = play.model(
      { type: "response_created", response_id: "resp_2" },
      {
        type: "response_audio_delta",
        response_id: "resp_2",
        item_id: "item_2",
        audio: audioOf(100),
      },
    );

    expect([back, only(again)]).toEqual([
      [
        { type: "provider", command: { type: "delete_item", item_id: "item_rep_1" } },
        { type: "send", frame: { type: "audio_clear", item: 2 } },
      ],
      [{ type: "send_audio", item: 3, ms: 0, audio: 1_600 }],
    ]);
  });

  it("may come before the log tells of its call", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    play.model({ type: "response_created", response_id: "resp_rep_1" });
    play.tell({ type: "reply_begun", turn: 1, reply_id: "rep_1", message_id: "m" });
    play.log(
      { type: "REPLY_START", reply_id: "rep_1" },
      { type: "MODEL_CALL_START", reply_id: "rep_1" },
    );

    expect(play.state.calls.map(({ reply_id, response_id }) => [reply_id, response_id])).toEqual([
      ["rep_1", "resp_rep_1"],
    ]);
  });

  it("that would be too much is left out, with an error", () => {
    const play = answering();
    play.model({ type: "response_created", response_id: "r" });
    const ids = { response_id: "r", item_id: "i" };
    const minute = { type: "response_audio_delta", ...ids, audio: audioOf(60_000) } as const;
    const effects = play.model(...Array.from({ length: 7 }, () => minute));

    expect(only(effects, "send_audio").length).toBe(5);
    expect(only(effects, "send")).toEqual([
      { type: "send", frame: { type: "audio_end", item: 2, ms: 300_000 } },
      {
        type: "send",
        frame: {
          type: "error",
          code: "reader_too_slow",
          detail: "too much audio waits to be played: the rest is left out",
        },
      },
    ]);
  });

  it("of a response without an end is at its end after a while", () => {
    const play = answering();
    play.say("rep_1", "Hello");
    play.log({ type: "MODEL_CALL_END", reply_id: "rep_1" });

    expect(only(play.wait(60_000), "send")).toMatchObject([
      { frame: { type: "audio_end", item: 2, ms: 400 } },
      { frame: { type: "error", code: "voice_failed" } },
    ]);
    expect(play.state.calls).toEqual([]);
  });
});

describe("a client that has gone", () => {
  it("is sent nothing, and nothing of what it was told is taken back", () => {
    const play = answering();
    play.say("rep_1", "Hello there");
    const gone = play.tell({ type: "client_closed" });
    const more = [
      ...play.model({
        type: "response_audio_delta",
        response_id: "resp_rep_1",
        item_id: "item_rep_1",
        audio: audioOf(400),
      }),
      ...play.endCall("rep_1"),
      ...play.model(started),
      ...play.endReply("rep_1"),
    ];

    const said = { type: "said", message_id: "rep_1", audio: { output_ms: 800 } };
    expect([gone, more, play.state.calls]).toEqual([[], [said], []]);
  });

  it("hears no old audio when it is back, but what is said from then on", () => {
    const play = answering();
    play.say("rep_1", "Hello there");
    play.tell({ type: "client_closed" }, { type: "client_opened", turns: "server" });
    const old = play.model({
      type: "response_audio_delta",
      response_id: "resp_rep_1",
      item_id: "item_rep_1",
      audio: audioOf(400),
    });
    play.endCall("rep_1");
    play.log({ type: "MODEL_CALL_START", reply_id: "rep_1" });
    play.model({ type: "response_created", response_id: "resp_2" });
    const fresh = play.model({
      type: "response_audio_delta",
      response_id: "resp_2",
      item_id: "item_2",
      audio: audioOf(100),
    });

    expect([old, only(fresh)]).toEqual([
      [],
      [{ type: "send_audio", item: 3, ms: 0, audio: 1_600 }],
    ]);
  });

  it("in the middle of its turn has not had one", () => {
    const play = new VoicePlay().open();
    play.tell({ type: "audio", ms: 500 });
    play.model({ type: "input_started", item_id: "in_1", audio_start_ms: 0 });

    expect([
      play.tell({ type: "client_closed" }),
      play.model({ type: "input_done", item_id: "in_1", audio_end_ms: 500 }),
    ]).toEqual([[{ type: "provider", command: { type: "clear" } }], []]);
  });

  it("behind a barge-in has cut what it has cut", () => {
    const play = answering();
    play.say("rep_1", "Hello there");
    play.endCall("rep_1");
    play.tell({ type: "played", item: 2, ms: 410 });
    play.model(started);

    expect(only(play.tell({ type: "client_closed" }), "truncate")).toMatchObject([
      { text: "Hello" },
    ]);
  });

  it("gets the detection that it asks for when it is back", () => {
    const play = new VoicePlay().open("server");
    const back = play.tell({ type: "client_closed" }, { type: "client_opened", turns: "manual" });

    expect([back, play.tell({ type: "audio", ms: 100 })]).toEqual([
      [{ type: "provider", command: { type: "close" } }],
      [
        { type: "provider", command: { type: "open" } },
        { type: "provider", command: { type: "append" } },
      ],
    ]);
    expect(play.state.provider.turns).toBe("manual");
  });
});

describe("a provider that has gone", () => {
  it("is opened with the next frame, and slower when it goes again", () => {
    const play = new VoicePlay().open();
    const opens = [0, 1, 2, 3].map(() => {
      play.tell({ type: "provider_lost" });
      let waited = 0;
      while (waited < 60_000 && !opensWith(play.tell({ type: "audio", ms: 2 }))) {
        waited += 500;
        play.now += 500;
      }
      play.tell({ type: "provider_opened" });
      return waited;
    });

    expect(opens).toEqual([0, 1_000, 2_000, 4_000]);
  });

  it("is told when something was under way: what was said stays, what was not written down fails", () => {
    const play = new VoicePlay({ mode: "cascade" }).open();
    play.speak("in_1");
    play.tell({ type: "message_placed", turn: 1, message_id: "m" });
    const lost = play.model({ type: "session_ended", reason: "gone" });

    expect([errorsOf(lost), play.state.provider.status, play.state.turns]).toEqual([
      ["speech_not_transcribed", "voice_failed"],
      "closed",
      [],
    ]);
  });

  it("says nothing more", () => {
    const play = answering();
    play.say("rep_1", "Hello");
    const lost = only(play.tell({ type: "provider_lost" }), "send");
    const late = play.model(started, { type: "response_created", response_id: "r" });

    expect([lost, late]).toMatchObject([
      [{ frame: { type: "audio_end", item: 2, ms: 400 } }, { frame: { code: "voice_failed" } }],
      [],
    ]);
  });

  it("is opened at once for a reply that is to be spoken", () => {
    const play = new VoicePlay().open();
    play.tell({ type: "provider_lost" }, { type: "provider_wanted" }, { type: "provider_lost" });

    expect(opensWith(play.tell({ type: "provider_wanted" }))).toBe(true);
  });

  it("that does not open is given up", () => {
    const play = new VoicePlay();
    play.tell({ type: "client_opened", turns: "server" }, { type: "audio", ms: 20 });

    expect(play.wait(20_000)).toMatchObject([
      { type: "provider", command: { type: "close" } },
      { type: "send", frame: { code: "voice_failed" } },
    ]);
  });
});

describe("time", () => {
  it("lets the provider go when nobody speaks, and nothing is left", () => {
    const play = answering();
    play.say("rep_1", "Hello");
    play.endCall("rep_1");
    play.endReply("rep_1");
    play.wait(29_999);
    const isOpen = play.state.provider.status;

    expect([isOpen, play.wait(1), play.state.calls, play.state.scheduled_ms]).toEqual([
      "open",
      [{ type: "provider", command: { type: "close" } }],
      [],
      null,
    ]);
  });

  it("does not while a reply is made", () => {
    const play = answering();

    expect(only(play.wait(300_000), "provider")).toEqual([]);
  });
});

function opensWith(effects: readonly VoiceEffect[]): boolean {
  return effects.some((effect) => effect.type === "provider" && effect.command.type === "open");
}
