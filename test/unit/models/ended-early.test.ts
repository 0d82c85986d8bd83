import { describe, expect, it } from "vitest";

import { earlyEndOf } from "../../../model/stream/ended-early.ts";

describe("the reason that a provider gives for an end", () => {
  it.each([
    ["length", "output_limit"],
    ["max_tokens", "output_limit"],
    ["MAX_TOKENS", "output_limit"],
    ["max_output_tokens", "output_limit"],
    ["model_length", "output_limit"],
    ["model_context_window_exceeded", "output_limit"],
    ["content_filter", "filtered"],
    ["CONTENT_FILTER", "filtered"],
    ["sensitive", "filtered"],
    ["SAFETY", "filtered"],
    ["guardrail_intervened", "filtered"],
    ["stop", null],
    ["tool_calls", null],
    ["end_turn", null],
    ["completed", null],
    ["a later reason", null],
    ["", null],
    [null, null],
  ])("%j is an early end of the kind %j", (reason, kind) => {
    expect(earlyEndOf(reason)).toBe(kind);
  });
});
