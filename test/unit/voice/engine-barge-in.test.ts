// Inputs that cut the agent off, and what is left of what it said.
import { describe, expect, it } from "vitest";

import type { VoiceEffect } from "../../../agent/voice/engine/voice-effect.ts";
import { audioOf, only, VoicePlay } from "./voice-play.ts";

const TEXT = "One two three four five";

/** The agent says five words of 400 ms each in reply to a turn, and is heard. */
function answering(settings: ConstructorParameters<typeof VoicePlay>[0] = {}): VoicePlay {
  const play = new VoicePlay(settings).open();
  play.speak("in_1");
  play.begin(1, "rep_1");
  play.say("rep_1", TEXT);
  return play;
}

const started = { type: "input_started", item_id: "in_2", audio_start_ms: 1_000 } as const;

describe("speech of the user cuts the agent off", () => {
  it("in the middle of its model call: what was played is what was said", () => {
    const play = answering();
    play.tell({ type: "played", item: 2, ms: 900 });
    const cut = play.model(started);
    const ended = play.log(
      { type: "MODEL_CALL_END", reply_id: "rep_1" },
      { type: "REPLY_END", reply_id: "rep_1" },
    );
    const told = play.tell({ type: "played", item: 2, ms: 1_000 });

    expect([cut, ended, told]).toEqual<(readonly VoiceEffect[])[]>([
      [
        { type: "provider", command: { type: "cancel" } },
        { type: "send", frame: { type: "audio_clear", item: 2 } },
        { type: "interrupt_reply", reply_id: "rep_1" },
        { type: "said", message_id: "rep_1", audio: { output_ms: 2_000 } },
      ],
      [],
      [
        {
          type: "truncate",
          message_id: "rep_1",
          block_id: "blk_rep_1",
          text: "One two",
          played_ms: 1_000,
        },
        {
          type: "provider",
          command: {
            type: "truncate",
            item_id: "item_rep_1",
            played_ms: 1_000,
            played_text: "One two",
          },
        },
      ],
    ]);
    expect(play.state.calls).toEqual([]);
  });

  it("after its reply has ended, while it is played", () => {
    const play = answering();
    play.endCall("rep_1");
    play.endReply("rep_1");
    const cut = play.model(started);
    const told = play.tell({ type: "played", item: 2, ms: 1_700 });

    expect([cut, only(told, "truncate")]).toEqual([
      [{ type: "send", frame: { type: "audio_clear", item: 2 } }],
      [
        {
          type: "truncate",
          message_id: "rep_1",
          block_id: "blk_rep_1",
          text: "One two three four",
          played_ms: 1_700,
        },
      ],
    ]);
  });

  it("before anything was heard: the item is deleted", () => {
    const play = answering();
    play.endCall("rep_1");
    play.model(started);

    expect(play.tell({ type: "played", item: 2, ms: 0 })).toEqual<VoiceEffect[]>([
      { type: "truncate", message_id: "rep_1", block_id: "blk_rep_1", text: "", played_ms: 0 },
      { type: "provider", command: { type: "delete_item", item_id: "item_rep_1" } },
    ]);
  });

  it("while its model has not said anything", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    play.begin(1, "rep_1");

    expect(play.model(started)).toEqual([{ type: "interrupt_reply", reply_id: "rep_1" }]);
    expect(play.log({ type: "MODEL_CALL_END", reply_id: "rep_1" })).toEqual([]);
    expect(play.state.calls).toEqual([]);
  });

  it("before its reply has begun: it is interrupted as soon as it has", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    const cut = play.model(started);

    expect([
      cut,
      play.tell({ type: "reply_begun", turn: 1, reply_id: "rep_1", message_id: "m" }),
    ]).toEqual([[], [{ type: "interrupt_reply", reply_id: "rep_1" }]]);
  });

  it("but not its tools, and nothing that was heard to its end", () => {
    const play = answering();
    play.endCall("rep_1");
    play.tell({ type: "played", item: 2, ms: 2_000 });

    expect(play.model(started)).toEqual([]);
  });

  it("but not what others have begun", () => {
    const play = new VoicePlay().open();
    play.log(
      { type: "REPLY_START", reply_id: "rep_9" },
      { type: "MODEL_CALL_START", reply_id: "rep_9" },
    );

    expect(play.model(started)).toEqual([]);
  });

  it("but not a reply of others that goes on while ours is asked for", () => {
    const play = new VoicePlay().open();
    play.tell({ type: "text", text: "Hi" });
    play.log(
      { type: "MODEL_CALL_START", reply_id: "rep_9" },
      { type: "TEXT_BLOCK_START", reply_id: "rep_9", block_id: "blk_9" },
      { type: "TEXT_BLOCK_DELTA", reply_id: "rep_9", block_id: "blk_9", delta: "Written" },
    );
    const cut = play.model(started);
    play.tell({ type: "reply_begun", turn: 1, reply_id: "rep_1", message_id: "m" });

    expect([cut, only(play.wait(10_000), "truncate")]).toEqual([[], []]);
  });

  it("but not the text of what was written while nobody was there", () => {
    const play = answering();
    play.tell({ type: "client_closed" }, { type: "client_opened", turns: "server" });
    const cut = play.model(started);
    play.log({ type: "MODEL_CALL_END", reply_id: "rep_1" });

    expect([cut, only(play.wait(10_000), "truncate")]).toEqual([
      [{ type: "interrupt_reply", reply_id: "rep_1" }],
      [],
    ]);
  });

  it("once: more speech, and late audio, change nothing", () => {
    const play = answering();
    play.model(started);
    play.tell({ type: "audio", ms: 500 });
    const more = [
      ...play.model(
        { type: "input_done", item_id: "in_2", audio_end_ms: 1_500 },
        { type: "input_started", item_id: "in_3", audio_start_ms: 1_500 },
        {
          type: "response_audio_delta",
          response_id: "resp_rep_1",
          item_id: "item_rep_1",
          audio: audioOf(900),
        },
        { type: "response_done", response_id: "resp_rep_1", status: "cancelled", usage: null },
      ),
      ...play.log(
        { type: "MODEL_CALL_END", reply_id: "rep_1" },
        { type: "REPLY_END", reply_id: "rep_1" },
      ),
      ...play.tell({ type: "played", item: 2, ms: 2_000 }, { type: "played", item: 2, ms: 2_000 }),
    ];

    expect(only(more, "truncate", "interrupt_reply", "send_audio", "begin_reply")).toEqual([
      {
        type: "begin_reply",
        turn: 2,
        message: { type: "speech", item: 3, start_ms: 1_000, end_ms: 1_500 },
        on_busy: "queue",
      },
    ]);
  });
});

describe("what was heard", () => {
  it("is what the client has said before, when it says nothing for half a second", () => {
    const play = answering();
    play.endCall("rep_1");
    play.tell({ type: "played", item: 2, ms: 500 });
    play.model(started);

    expect([play.wait(499), only(play.wait(1), "truncate")]).toMatchObject([
      [],
      [{ text: "One", played_ms: 500 }],
    ]);
  });

  it("is taken from the time for a client that never says what it has played", () => {
    const play = answering();
    play.endCall("rep_1");
    play.wait(1_300);
    play.model(started);

    expect(only(play.wait(500), "truncate")).toMatchObject([
      { text: "One two three", played_ms: 1_300 },
    ]);
  });

  it("is no more than was sent", () => {
    const play = answering();
    play.model(started);
    play.log({ type: "MODEL_CALL_END", reply_id: "rep_1" });

    expect(
      only(play.tell({ type: "played", item: 2, ms: 999_999 }), "truncate", "provider"),
    ).toEqual([
      {
        type: "provider",
        command: { type: "truncate", item_id: "item_rep_1", played_ms: 2_000, played_text: TEXT },
      },
    ]);
  });

  it("leaves the log of a provider that cuts by itself, and of one that cannot", () => {
    const cuts = (["server", "none"] as const).map((truncation) => {
      const play = answering({ truncation });
      play.endCall("rep_1");
      play.model(started);
      return only(play.tell({ type: "played", item: 2, ms: 900 }));
    });

    expect(cuts).toEqual(
      [1, 2].map(() => [
        {
          type: "truncate",
          message_id: "rep_1",
          block_id: "blk_rep_1",
          text: "One two",
          played_ms: 900,
        },
      ]),
    );
  });

  it("is cut in each block of the call, and in each of its items", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    play.begin(1, "rep_1");
    play.model({ type: "response_created", response_id: "r" });
    for (const part of ["a", "b", "c"]) {
      const block = { reply_id: "rep_1", block_id: `blk_${part}` };
      const ids = { response_id: "r", item_id: `item_${part}` };
      const delta = `Some words ${part}.`;
      play.log(
        { type: "TEXT_BLOCK_START", ...block },
        { type: "TEXT_BLOCK_DELTA", ...block, delta },
      );
      play.model({ type: "response_audio_transcript_delta", ...ids, delta });
      play.model({ type: "response_audio_delta", ...ids, audio: audioOf(1_000) });
      play.model({ type: "response_audio_done", ...ids });
    }
    play.model({ type: "response_done", response_id: "r", status: "completed", usage: null });
    play.log({ type: "MODEL_CALL_END", reply_id: "rep_1" });
    play.tell({ type: "played", item: 2, ms: 1_000 });
    const cut = play.model(started);
    const told = play.tell({ type: "played", item: 3, ms: 500 });

    expect([only(cut, "send"), told]).toEqual([
      [
        { type: "send", frame: { type: "audio_clear", item: 3 } },
        { type: "send", frame: { type: "audio_clear", item: 4 } },
      ],
      [
        {
          type: "truncate",
          message_id: "rep_1",
          block_id: "blk_b",
          text: "Some",
          played_ms: 1_500,
        },
        { type: "truncate", message_id: "rep_1", block_id: "blk_c", text: "", played_ms: 1_500 },
        {
          type: "provider",
          command: { type: "truncate", item_id: "item_b", played_ms: 500, played_text: "Some" },
        },
        { type: "provider", command: { type: "delete_item", item_id: "item_c" } },
      ],
    ]);
  });
});

describe("an interrupt", () => {
  it("ends a reply whatever it does, and what is played of it", () => {
    const play = answering();
    play.endCall("rep_1");
    const cut = play.tell({ type: "interrupt" });

    expect([cut, play.tell({ type: "interrupt" })]).toEqual([
      [
        { type: "send", frame: { type: "audio_clear", item: 2 } },
        { type: "interrupt_reply", reply_id: null },
      ],
      [],
    ]);
  });

  it("of another reply is passed on, and cuts nothing", () => {
    expect(answering().tell({ type: "interrupt", reply_id: "rep_9" })).toEqual([
      { type: "interrupt_reply", reply_id: "rep_9" },
    ]);
  });
});

describe("a reply that follows what was cut", () => {
  it("begins when the cut is in the log, so that its model reads what was heard", () => {
    const play = answering();
    const typed = play.tell({ type: "text", text: "Stop" });
    const ended = play.log(
      { type: "MODEL_CALL_END", reply_id: "rep_1" },
      { type: "REPLY_END", reply_id: "rep_1" },
    );
    const told = play.tell({ type: "played", item: 2, ms: 500 });

    expect([typed, ended, told].map((effects) => effects.map(({ type }) => type))).toEqual([
      ["provider", "send", "interrupt_reply", "said"],
      [],
      ["truncate", "provider", "begin_reply"],
    ]);
  });

  it("does not wait for a log that never ends the call", () => {
    const play = answering();
    play.tell({ type: "text", text: "Stop" });

    expect(only(play.wait(5_000)).map((effect) => (effect as VoiceEffect).type)).toEqual([
      "truncate",
      "provider",
      "begin_reply",
    ]);
  });
});
