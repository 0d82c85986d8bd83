// Turns of the user in the engine: their places, texts and replies.
import { describe, expect, it } from "vitest";

import { errorsOf, only, VoicePlay } from "./voice-play.ts";

const CASCADE = { mode: "cascade", truncation: "none" } as const;
const NO_SPEECH = {
  type: "send",
  frame: {
    type: "error",
    code: "speech_not_transcribed",
    detail: "what was said could not be written down",
  },
} as const;

describe("a turn of the user, in realtime", () => {
  it("begins a reply at once, and gets its text when it comes", () => {
    const play = new VoicePlay().open();
    const spoken = play.speak("in_1", 1_200);
    const begun = play.begin(1, "rep_1");
    const told = play.model({
      type: "input_transcription_done",
      item_id: "in_1",
      transcript: " hello ",
      usage: null,
    });

    expect([only(spoken, "begin_reply", "place_message"), begun, told]).toEqual([
      [
        {
          type: "begin_reply",
          turn: 1,
          message: { type: "speech", item: 1, start_ms: 0, end_ms: 1_200 },
          on_busy: "queue",
        },
      ],
      [],
      [{ type: "transcribed", message_id: "msg_1", text: "hello" }],
    ]);
    expect(play.state.turns).toEqual([]);
  });

  it("keeps a text that comes before its place is known", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    const early = play.model({
      type: "input_transcription_done",
      item_id: "in_1",
      transcript: "hi",
      usage: null,
    });

    expect([early, play.begin(1, "rep_1")]).toEqual([
      [],
      [{ type: "transcribed", message_id: "msg_1", text: "hi" }],
    ]);
  });

  it("keeps a text that comes before its end is known, and an end of which no place is", () => {
    const play = new VoicePlay().open();
    play.tell({ type: "audio", ms: 700 });
    const early = play.model(
      { type: "input_started", item_id: "in_1", audio_start_ms: 0 },
      { type: "input_transcription_done", item_id: "in_1", transcript: "hi", usage: null },
    );
    const done = play.model({ type: "input_done", item_id: "in_1", audio_end_ms: 0 });

    expect([early, done, play.begin(1, "rep_1")]).toMatchObject([
      [],
      [{ type: "begin_reply", message: { start_ms: 0, end_ms: 700 } }],
      [{ type: "transcribed", message_id: "msg_1", text: "hi" }],
    ]);
  });

  it("may have no text, which only a provider's word makes an error", () => {
    const silent = new VoicePlay().open();
    silent.speak("in_1");
    silent.begin(1, "rep_1");
    const failing = new VoicePlay().open();
    failing.speak("in_1");
    failing.begin(1, "rep_1");
    const failed = failing.model({ type: "error", code: "x", message: "", item_id: "in_1" });

    expect([errorsOf(silent.wait(40_000)), silent.state.turns, failed]).toEqual([
      [],
      [],
      [NO_SPEECH],
    ]);
  });

  it("ends where the client says so, whose detection is off", () => {
    const play = new VoicePlay().open("manual");
    const sent = play.tell({ type: "audio", ms: 700 }, { type: "commit" });
    const done = play.model(
      { type: "input_started", item_id: "in_1", audio_start_ms: 0 },
      { type: "input_done", item_id: "in_1", audio_end_ms: 700 },
    );

    expect([sent, only(done)]).toEqual([
      [
        { type: "provider", command: { type: "append" } },
        { type: "provider", command: { type: "commit" } },
      ],
      [
        {
          type: "begin_reply",
          turn: 1,
          message: { type: "speech", item: 1, start_ms: 0, end_ms: 700 },
          on_busy: "queue",
        },
      ],
    ]);
  });

  it("needs audio, and speech in it", () => {
    const play = new VoicePlay().open("manual");
    const empty = play.tell({ type: "commit", ref: "c1" });
    play.tell({ type: "audio", ms: 500 }, { type: "commit", ref: "c2" });
    const silent = play.model({
      type: "error",
      code: "input_audio_buffer_commit_empty",
      message: "",
    });

    expect([empty, silent].map((effects) => only(effects))).toMatchObject([
      [{ type: "send", frame: { type: "error", code: "validation_failed", ref: "c1" } }],
      [{ type: "send", frame: { type: "error", code: "validation_failed", ref: "c2" } }],
    ]);
  });

  it("that is too long is ended", () => {
    const play = new VoicePlay().open();
    play.tell({ type: "audio", ms: 100 });
    play.model({ type: "input_started", item_id: "in_1", audio_start_ms: 0 });
    const commits = Array.from({ length: 130 }, () => {
      play.now += 1_000;
      return play.tell({ type: "audio", ms: 1_000 });
    }).map((effects) => effects.some((e) => e.type === "provider" && e.command.type === "commit"));

    expect(commits.flatMap((isCommit, index) => (isCommit ? [index] : []))).toEqual([119]);
  });

  it("that is taken back never was", () => {
    const play = new VoicePlay().open();
    play.tell({ type: "audio", ms: 500 });
    play.model({ type: "input_started", item_id: "in_1", audio_start_ms: 0 });
    const cleared = play.tell({ type: "clear" });
    const late = play.model({ type: "input_done", item_id: "in_1", audio_end_ms: 500 });

    expect([cleared, late]).toEqual([[{ type: "provider", command: { type: "clear" } }], []]);
  });
});

describe("a turn of the user, in a cascade", () => {
  const transcribed = (item_id: string, transcript: string) =>
    ({ type: "input_transcription_done", item_id, transcript, usage: null }) as const;

  it("is placed, and answered when its text is there", () => {
    const play = new VoicePlay(CASCADE).open();
    const spoken = only(play.speak("in_1"), "place_message", "begin_reply");
    const placed = play.tell({ type: "message_placed", turn: 1, message_id: "msg_1" });
    const told = play.model(transcribed("in_1", "hello"));

    expect([spoken, placed, told]).toEqual([
      [{ type: "place_message", turn: 1, item: 1, start_ms: 0, end_ms: 1_000 }],
      [],
      [
        { type: "transcribed", message_id: "msg_1", text: "hello" },
        { type: "begin_reply", turn: 1, message: { type: "placed" }, on_busy: "queue" },
      ],
    ]);
  });

  it.each([
    ["an empty text", transcribed("in_1", "  ")],
    ["a failure", { type: "error", code: "failed", message: "", item_id: "in_1" }],
  ] as const)("gets no reply, but an error, for %s", (_, event) => {
    const play = new VoicePlay(CASCADE).open();
    play.speak("in_1");
    play.tell({ type: "message_placed", turn: 1, message_id: "msg_1" });

    expect([play.model(event), play.state.turns]).toEqual([[NO_SPEECH], []]);
  });

  it("that is never transcribed is given up in time", () => {
    const play = new VoicePlay(CASCADE).open();
    play.speak("in_1");
    play.tell({ type: "message_placed", turn: 1, message_id: "msg_1" });

    const effects = [play.wait(29_999), play.wait(1)].map((each) => only(each, "send"));
    expect(effects).toEqual([[], [NO_SPEECH]]);
  });

  it("gets one reply with the turn that follows before it is answered, whichever text comes first", () => {
    const play = new VoicePlay(CASCADE).open();
    play.speak("in_1");
    play.speak("in_2");
    const placed = play.tell(
      { type: "message_placed", turn: 1, message_id: "msg_1" },
      { type: "message_placed", turn: 2, message_id: "msg_2" },
    );
    const second = play.model(transcribed("in_2", "two"));
    const first = play.model(transcribed("in_1", "one"));

    expect([placed, second, first]).toEqual([
      [],
      [{ type: "transcribed", message_id: "msg_2", text: "two" }],
      [
        { type: "transcribed", message_id: "msg_1", text: "one" },
        { type: "begin_reply", turn: 2, message: { type: "placed" }, on_busy: "queue" },
      ],
    ]);
  });

  it("waits for the user to be silent", () => {
    const play = new VoicePlay(CASCADE).open();
    play.speak("in_1");
    play.tell({ type: "message_placed", turn: 1, message_id: "msg_1" }, { type: "audio", ms: 100 });
    play.model({ type: "input_started", item_id: "in_2", audio_start_ms: 1_000 });
    const told = play.model(transcribed("in_1", "one"));
    const cleared = play.tell({ type: "clear" });

    expect([told, cleared]).toEqual([
      [{ type: "transcribed", message_id: "msg_1", text: "one" }],
      [
        { type: "provider", command: { type: "clear" } },
        { type: "begin_reply", turn: 1, message: { type: "placed" }, on_busy: "queue" },
      ],
    ]);
  });

  it("that the session refuses is told with its error", () => {
    const play = new VoicePlay(CASCADE).open();
    play.speak("in_1");
    const refused = play.tell({
      type: "act_refused",
      turn: 1,
      code: "session_in_room",
      detail: "no room",
    });

    expect([refused, play.state.turns]).toEqual([
      [{ type: "send", frame: { type: "error", code: "session_in_room", detail: "no room" } }],
      [],
    ]);
  });

  it("that a quota refuses lets the provider go, so that nothing more is sent to it", () => {
    const play = new VoicePlay(CASCADE).open();
    play.speak("in_1");
    const refused = play.tell({
      type: "act_refused",
      turn: 1,
      code: "quota_exceeded",
      detail: "no room",
    });

    expect([refused, play.state.turns]).toEqual([
      [
        { type: "send", frame: { type: "error", code: "quota_exceeded", detail: "no room" } },
        { type: "provider", command: { type: "close" } },
      ],
      [],
    ]);
  });
});

describe("a text that is typed", () => {
  it("begins a reply, and its refusal names its frame", () => {
    const play = new VoicePlay().open();
    const typed = play.tell({ type: "text", text: "Hi", ref: "t1" });
    const refused = play.tell({ type: "act_refused", turn: 1, code: "queue_full", detail: "full" });

    expect([typed, refused]).toEqual([
      [
        {
          type: "begin_reply",
          turn: 1,
          message: { type: "text", text: "Hi", ref: "t1" },
          on_busy: "queue",
        },
      ],
      [
        {
          type: "send",
          frame: { type: "error", code: "queue_full", detail: "full", ref: "t1" },
        },
      ],
    ]);
  });

  it.each([
    ["runs its tools", ["REPLY_START", "MODEL_CALL_START", "MODEL_CALL_END"], []],
    ["has its model called", ["REPLY_START", "MODEL_CALL_START"], ["interrupt_reply"]],
  ] as const)("comes behind a spoken reply that %s", (_, types, interrupted) => {
    const play = new VoicePlay().open();
    play.tell(
      { type: "text", text: "Hi" },
      { type: "reply_begun", turn: 1, reply_id: "rep_1", message_id: "m" },
    );
    play.log(...types.map((type) => ({ type, reply_id: "rep_1" })));
    const effects = [...play.tell({ type: "text", text: "More" }), ...play.wait(6_000)];
    const acts = effects.filter(({ type }) => type === "interrupt_reply" || type === "begin_reply");

    expect(acts.map(({ type }) => type)).toEqual([...interrupted, "begin_reply"]);
    expect(acts.at(-1)).toMatchObject({ turn: 2, on_busy: "queue" });
  });

  it("interrupts nothing that others begin before it has begun", () => {
    const play = new VoicePlay().open();

    expect(play.tell({ type: "text", text: "Hi" })).toMatchObject([
      { type: "begin_reply", on_busy: "queue" },
    ]);
  });

  it("waits its turn behind a reply that others have begun, or that is from before", () => {
    const play = new VoicePlay().open();
    play.log(
      { type: "REPLY_START", reply_id: "rep_1" },
      { type: "MODEL_CALL_START", reply_id: "rep_1" },
    );
    const older = new VoicePlay({}, "rep_0").open();

    expect([play, older].map((one) => one.tell({ type: "text", text: "Hi" }))).toMatchObject([
      [{ type: "begin_reply", on_busy: "queue" }],
      [{ type: "begin_reply", on_busy: "queue" }],
    ]);
  });
});
