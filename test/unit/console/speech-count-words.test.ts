import { expect, it } from "vitest";

import { wordsOfCustom } from "../../../console/components/words/custom-words.ts";

it("says how much was said aloud, and that somebody may speak", () => {
  expect([
    wordsOfCustom("voice_opened", {}),
    wordsOfCustom("speech_said", { message_id: "rep_1", audio: { output_ms: 3_240 } }),
    wordsOfCustom("speech_said", { message_id: "rep_1", audio: { output_tokens: 7 } }),
    wordsOfCustom("speech_said", null),
  ]).toEqual([
    "A voice connection was opened",
    "Said aloud in this reply so far: 3.2 s",
    "Said aloud in this reply so far: unknown",
    "Said aloud in this reply so far: unknown",
  ]);
});
