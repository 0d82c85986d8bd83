// A turn that the client has ended, at a provider that says nothing of it.
import { expect, it } from "vitest";

import { errorsOf, only, VoicePlay } from "./voice-play.ts";

/** A client that ends its turns has ended one. */
function committed(): VoicePlay {
  const play = new VoicePlay({ idle_ms: 5_000 }).open("manual");
  play.tell({ type: "audio", ms: 500 }, { type: "commit", ref: "mine" });
  return play;
}

it("is not waited for without an end: the connection is taken for lost, and the next audio opens another", () => {
  const play = committed();
  const early = play.wait(29_999);
  const late = play.wait(1);

  expect(early).toEqual([]);
  expect(only(late, "provider")).toEqual([{ type: "provider", command: { type: "close" } }]);
  expect(errorsOf(late)).toEqual(["voice_failed"]);
  expect(only(play.tell({ type: "audio", ms: 100 }), "provider")).toEqual([
    { type: "provider", command: { type: "open" } },
    { type: "provider", command: { type: "append" } },
  ]);
});

it("that is a turn, or none, closes nothing", () => {
  const heard = committed();
  heard.model({ type: "input_started", item_id: "in_1", audio_start_ms: 0 });
  heard.model({ type: "input_done", item_id: "in_1", audio_end_ms: 500 });
  const refused = committed();
  const code = "input_audio_buffer_commit_empty";
  refused.model({ type: "error", code, message: "Nothing." });

  expect([heard.state.provider.commit, refused.state.provider.commit]).toEqual([null, null]);
});

it("that is shorter than any turn is said to be none", () => {
  const play = new VoicePlay().open("manual");
  play.tell({ type: "audio", ms: 30 }, { type: "commit", ref: "mine" });
  const told = play.model({ type: "input_done", item_id: "in_1", audio_end_ms: 30 });

  expect(told).toMatchObject([
    { type: "send", frame: { type: "error", code: "validation_failed", ref: "mine" } },
  ]);
  expect(play.state.provider.commit).toBeNull();
});
