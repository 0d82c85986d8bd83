// The amounts that the engine counts of the agent's speech, and of the user's.
import { describe, expect, it } from "vitest";

import { only, VoicePlay } from "./voice-play.ts";

const TOKENS = { cache_input_tokens: 0, cache_creation_input_tokens: 0 };

function answering(): VoicePlay {
  const play = new VoicePlay().open();
  play.speak("in_1", 1_000);
  play.begin(1, "rep_1");
  return play;
}

function done(audio?: object) {
  const usage = { ...TOKENS, input_tokens: 90, output_tokens: 40, ...(audio && { audio }) };
  return { type: "response_done", response_id: "resp_rep_1", status: "completed", usage } as const;
}

describe("what the agent says", () => {
  it("is told once, with the tokens that were audio", () => {
    const play = answering();
    play.say("rep_1", "Hello there", 250);
    const first = play.model(done({ input_tokens: 60, output_tokens: 30 }));
    const second = play.endCall("rep_1");

    expect([...only(first, "said"), ...only(second, "said")]).toEqual([
      {
        type: "said",
        message_id: "rep_1",
        audio: { output_ms: 500, input_tokens: 60, output_tokens: 30 },
      },
    ]);
  });

  it("counts where the provider tells no tokens of audio", () => {
    const play = answering();
    play.say("rep_1", "Hello there", 250);

    expect(only(play.model(done()), "said")).toEqual([
      { type: "said", message_id: "rep_1", audio: { output_ms: 500 } },
    ]);
  });

  it("counts up to the cut, and nothing that comes behind it", () => {
    const play = answering();
    play.say("rep_1", "Hello there", 250);
    const cut = play.tell({ type: "text", text: "Stop" });
    const more = play.model({
      type: "response_audio_delta",
      response_id: "resp_rep_1",
      item_id: "item_rep_1",
      audio: new Uint8Array(4_000),
    });

    expect([only(cut, "said"), only(more, "said")]).toEqual([
      [{ type: "said", message_id: "rep_1", audio: { output_ms: 500 } }],
      [],
    ]);
  });
});

it("what it took to write down a turn is told with its text", () => {
  const play = answering();
  const usage = { ...TOKENS, input_tokens: 14, output_tokens: 5, audio: { input_tokens: 10 } };
  const told = play.model({
    type: "input_transcription_done",
    item_id: "in_1",
    transcript: "hello",
    usage,
  });

  expect(told).toEqual([{ type: "transcribed", message_id: "msg_1", text: "hello", usage }]);
});
