// Usage of speech in the fold: of both directions, once, and never of another form.
import { describe, expect, test } from "vitest";

import { deepFreeze } from "../../support/deep-freeze.ts";
import { addUsage } from "../../../protocol/fold/add-usage.ts";
import { appendEvent } from "../../../protocol/fold/append-event.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { loggedEvents, spokenMessage, transcribed } from "../../support/voice/spoken-log.ts";

const TOKENS = {
  input_tokens: 14,
  output_tokens: 5,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};
const NO_TOKENS = { ...TOKENS, input_tokens: 0, output_tokens: 0 };

function folded(message: Msg, ...events: readonly object[]): Msg {
  return loggedEvents(events).reduce(
    (before, event) => appendEvent(deepFreeze(before), event),
    message,
  );
}

function said(audio: unknown, message_id = "m1"): object {
  return {
    type: "CUSTOM",
    name: "speech_said",
    reply_id: message_id,
    value: { message_id, audio },
  };
}

describe("the usage of a message", () => {
  test("has what it took to write down a turn, once", () => {
    const value = {
      message_id: "m1",
      text: "Hi.",
      usage: { ...TOKENS, audio: { input_tokens: 9 } },
    };
    const event = { type: "CUSTOM", name: "speech_transcribed", value };
    const message = folded(spokenMessage("m1"), event, event);

    expect(message.usage).toEqual({ ...TOKENS, audio: { input_ms: 1_200, input_tokens: 9 } });
  });

  test.each([["5"], [{ input_tokens: -1 }], [{ input_tokens: 1.5, output_tokens: 2 }], [null]])(
    "leaves out tokens of another form: %j",
    (usage) => {
      const value = { message_id: "m1", text: "Hi.", usage };
      const message = folded(spokenMessage("m1"), {
        type: "CUSTOM",
        name: "speech_transcribed",
        value,
      });

      expect(message.usage).toEqual({ ...NO_TOKENS, audio: { input_ms: 1_200 } });
    },
  );

  test("has the last word on what was said, beside the tokens of model calls", () => {
    const call = { type: "MODEL_CALL_END", reply_id: "m1", input_tokens: 14, output_tokens: 5 };
    const message = folded(
      spokenMessage("m1"),
      said({ output_ms: 100 }),
      call,
      said({ output_ms: 300, output_tokens: 7 }),
      said({ output_ms: 300, output_tokens: 7 }),
    );

    expect(message.usage).toEqual({ ...TOKENS, audio: { output_ms: 300, output_tokens: 7 } });
  });

  test.each([[undefined], [[]], ["300"], [{ output_ms: "300" }], [{ output_ms: -1 }], [{ ms: 3 }]])(
    "ignores what was said in another form: %j",
    (audio) => {
      const message = spokenMessage("m1");

      expect(folded(message, said(audio))).toBe(message);
    },
  );

  test("is not that of another message, and a text without any counts nothing", () => {
    const message = spokenMessage("m1");

    expect(folded(message, said({ output_ms: 1 }, "m2"), transcribed("m2", "Hi."))).toBe(message);
  });
});

test("sums of usage have audio where one of both has it", () => {
  expect([
    addUsage(TOKENS, NO_TOKENS),
    addUsage(null, { ...TOKENS, audio: { input_ms: 5 } }),
    addUsage({ ...TOKENS, audio: { input_ms: 5 } }, NO_TOKENS),
    addUsage(
      { ...NO_TOKENS, audio: { input_ms: 5, input_tokens: 1 } },
      { ...TOKENS, audio: { input_ms: 6, output_ms: 7 } },
    ),
  ]).toEqual([
    TOKENS,
    { ...TOKENS, audio: { input_ms: 5 } },
    { ...TOKENS, audio: { input_ms: 5 } },
    { ...TOKENS, audio: { input_ms: 11, output_ms: 7, input_tokens: 1 } },
  ]);
});
