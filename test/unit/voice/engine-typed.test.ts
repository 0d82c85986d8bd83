// Typed text to a voice that takes none.
import { expect, it } from "vitest";

import { errorsOf, VoicePlay } from "./voice-play.ts";

it("is refused where nothing could answer it, and nothing is cut off or begins", () => {
  const play = new VoicePlay({ takes_text: false }).open();
  play.speak("in_1");
  play.begin(1, "rep_1");
  const before = play.state;
  const effects = play.tell({ type: "text", text: "Hello.", ref: "mine" });

  expect(errorsOf(effects)).toEqual(["text_turn_unsupported"]);
  expect(effects).toMatchObject([{ frame: { type: "error", ref: "mine" } }]);
  expect(play.state.reply).toEqual(before.reply);
  expect(play.state.starting).toEqual(before.starting);
});
