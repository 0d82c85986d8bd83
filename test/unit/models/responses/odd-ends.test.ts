// Counts and failures of the Responses API as others than OpenAI send them.
import { describe, expect, it } from "vitest";

import type { FailureReport } from "../../../../agent/failure-report.ts";
import { modelError } from "../../../../agent/state/model-error.ts";
import {
  A,
  added,
  argued,
  call,
  completed,
  done,
  DONE_TEXT,
  type Event,
  failedWith,
  named,
  play,
  said,
} from "./stage.ts";

const usage = (input_tokens: unknown, output_tokens: unknown) => ({ input_tokens, output_tokens });

describe("the usage of a response", () => {
  it.each<readonly [string, readonly Event[]]>([
    ["at its end", [completed({ usage: usage(11, 7) })]],
    ["beside the response", [{ ...completed(), usage: usage(11, 7) }]],
    [
      "before its end, which says null",
      [named("in_progress", { response: { usage: usage(11, 7) } }), completed({ usage: null })],
    ],
    [
      "before its end, which says zero",
      [
        named("in_progress", { response: { usage: usage(11, 3) } }),
        completed({ usage: usage(0, 7) }),
      ],
    ],
  ])("is read %s", async (_case, events) => {
    const { chunks } = await play([said("All done."), ...events]);

    const counts = { cache_input_tokens: 0, cache_creation_input_tokens: 0 };
    expect(chunks).toEqual([...DONE_TEXT, { usage: { ...usage(11, 7), ...counts } }]);
  });
});

describe("an answer of the Responses API has failed", () => {
  it.each<
    readonly [string, readonly (Event | string)[], FailureReport["kind"], string | undefined]
  >([
    [
      "with status failed in response.completed",
      [completed({ status: "failed", error: { code: "server_error", message: "down" } })],
      "provider_error",
      "down",
    ],
    ["with null for its error", [named("failed", { response: null })], "provider_error", undefined],
    ["when it was cancelled", [named("cancelled")], "provider_error", undefined],
    [
      "when a whole input does not fit to its half",
      [
        added(call("a"), { output_index: 0 }),
        argued('{"order_id":', { output_index: 0 }),
        done(call("a", { arguments: '{ "order_id": "A-1" }' }), { output_index: 0 }),
        completed(),
      ],
      "malformed_answer",
      undefined,
    ],
    [
      "with [DONE] behind an item that is not whole",
      [said("All ", { output_index: 0 }), "[DONE]"],
      "connection_lost",
      undefined,
    ],
    [
      "with [DONE] behind a thought alone",
      [done({ type: "reasoning", id: "rs_1", summary: [{ text: "Hm." }] }), "[DONE]"],
      "connection_lost",
      undefined,
    ],
    [
      "with an error in its own words",
      [said("All "), failedWith({ code: "rate_limit_exceeded", message: "slow down" })],
      "rate_limited",
      "slow down",
    ],
  ])("%s", async (_case, events, kind, words) => {
    const { chunks, failure } = await play(events);

    expect(chunks.at(-1)?.error).toBeDefined();
    expect(failure?.kind).toBe(kind);
    expect(failure?.message).toBe(words);
  });

  it("with a call that has an input and no name", async () => {
    const { chunks } = await play([
      added({ type: "function_call", id: "fc_a", arguments: A }, { output_index: 0 }),
      completed(),
    ]);

    // The loop refuses a turn with such a call.
    expect(chunks).toEqual([{ tool_calls: [{ index: 0, delta: A }] }]);
    expect(chunks).not.toContainEqual({ error: modelError("upstream") });
  });
});
