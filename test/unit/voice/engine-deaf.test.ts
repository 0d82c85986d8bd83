// A provider that has said nothing for a while, and was left for it.
import { expect, it } from "vitest";

import { errorsOf, only, VoicePlay } from "./voice-play.ts";

it("is told of, as the user was not heard, and the next audio opens another", () => {
  const play = new VoicePlay().open();
  play.tell({ type: "audio", ms: 500 });
  const lost = play.model({ type: "session_ended", reason: "stalled" });

  expect(errorsOf(lost)).toEqual(["voice_failed"]);
  expect(only(play.tell({ type: "audio", ms: 100 }), "provider")).toEqual([
    { type: "provider", command: { type: "open" } },
    { type: "provider", command: { type: "append" } },
  ]);
});

it("is not told of where it was lost in silence", () => {
  const play = new VoicePlay().open();
  play.tell({ type: "audio", ms: 500 });

  expect(errorsOf(play.model({ type: "session_ended", reason: "connection_lost" }))).toEqual([]);
});
