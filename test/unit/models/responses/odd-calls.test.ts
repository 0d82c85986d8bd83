// Calls of the Responses API as others than OpenAI send them: each is made once, with the input that the model wrote.
import { describe, expect, it } from "vitest";

import {
  A,
  added,
  argued,
  B,
  call,
  CALL_A,
  CALLS,
  completed,
  done,
  DONE_TEXT,
  type Event,
  message,
  named,
  play,
  said,
} from "./stage.ts";

const CALLS_A: readonly [string, readonly (Event | string)[]][] = [
  [
    "ogx-ai/ogx#5309: function_call_arguments.done alone",
    [
      added(call("a", { arguments: "" }), { output_index: 0 }),
      named("function_call_arguments.done", { output_index: 0, item_id: "fc_a", arguments: A }),
      done(call("a"), { output_index: 0 }),
      completed(),
    ],
  ],
  [
    "ogx-ai/ogx#5309: arguments in output_item.added, and nothing more",
    [added(call("a", { arguments: A }), { output_index: 0 }), completed()],
  ],
  [
    "arguments as an object in output_item.added",
    [
      added(call("a", { arguments: { order_id: "A-1" } }), { output_index: 0 }),
      done(call("a"), { output_index: 0 }),
      completed(),
    ],
  ],
  [
    "arguments in output_item.added, and deltas of the same",
    [
      added(call("a", { arguments: A }), { output_index: 0 }),
      argued(A.slice(0, 5), { output_index: 0 }),
      argued(A.slice(5), { output_index: 0 }),
      done(call("a", { arguments: A }), { output_index: 0 }),
      completed({ output: [call("a", { arguments: A })] }),
    ],
  ],
  [
    "an empty object in output_item.added, then deltas",
    [
      added(call("a", { arguments: {} }), { output_index: 0 }),
      argued(A, { output_index: 0 }),
      completed(),
    ],
  ],
  [
    "arguments as an object in a delta",
    [added(call("a")), argued({ order_id: "A-1" }), completed()],
  ],
  [
    "arguments as an object in output_item.done",
    [done(call("a", { arguments: { order_id: "A-1" } })), completed()],
  ],
  [
    "Soju06/codex-lb#284: the whole response alone",
    [completed({ output: [call("a", { arguments: A })] })],
  ],
  [
    "the input in the whole response alone",
    [
      added(call("a", { arguments: "" }), { output_index: 0 }),
      done(call("a", { arguments: "" }), { output_index: 0 }),
      completed({ output: [call("a", { arguments: A })] }),
    ],
  ],
  [
    "the beginning in deltas, and the rest in the whole input",
    [
      added(call("a"), { output_index: 0 }),
      argued(A.slice(0, 9), { output_index: 0 }),
      done(call("a", { arguments: A }), { output_index: 0 }),
      completed(),
    ],
  ],
  [
    "deltas before the name",
    [
      argued(A, { output_index: 0, item_id: "fc_a" }),
      done(call("a"), { output_index: 0 }),
      completed(),
    ],
  ],
  [
    "a name in function_call_arguments.done, and no item",
    [
      named("function_call_arguments.done", { name: "look_up", call_id: "call_a", arguments: A }),
      completed({ output: [call("a", { arguments: A })] }),
    ],
  ],
  [
    "its items twice",
    [
      added(call("a"), { output_index: 0 }),
      added(call("a"), { output_index: 0 }),
      argued(A, { output_index: 0 }),
      done(call("a", { arguments: A }), { output_index: 0 }),
      done(call("a", { arguments: A }), { output_index: 0 }),
      completed({ output: [call("a", { arguments: A }), call("a", { arguments: A })] }),
    ],
  ],
  [
    "an input written in another way at its end",
    [
      added(call("a"), { output_index: 0 }),
      argued(A, { output_index: 0 }),
      done(call("a", { arguments: '{ "order_id": "A-1" }' }), { output_index: 0 }),
      completed(),
    ],
  ],
  [
    "the id of the call as that of the item",
    [
      added(call("a"), {}),
      added({ type: "message", id: "msg_1" }, {}),
      argued(A, { item_id: "call_a" }),
      completed({ output: [call("a", { arguments: A })] }),
    ],
  ],
  [
    "a call of nothing behind it",
    [
      done(call("a", { arguments: A }), { output_index: 0 }),
      added({ type: "function_call", id: "fc_x", name: "", arguments: "" }, { output_index: 1 }),
      completed(),
    ],
  ],
];

const TWO_CALLS: readonly [string, readonly Event[]][] = [
  [
    "lemonade-sdk/lemonade#3607: ids alone",
    [
      added(call("a")),
      added(call("b")),
      argued(A.slice(0, 9), { item_id: "fc_a" }),
      argued(B.slice(0, 9), { item_id: "fc_b" }),
      argued(A.slice(9), { item_id: "fc_a" }),
      argued(B.slice(9), { item_id: "fc_b" }),
      done(call("a", { arguments: A })),
      done(call("b", { arguments: B })),
      completed({ output: [call("a", { arguments: A }), call("b", { arguments: B })] }),
    ],
  ],
  [
    "ids, and one index for both",
    [
      added(call("a"), { output_index: 0 }),
      added(call("b"), { output_index: 0 }),
      argued(A, { item_id: "fc_a", output_index: 0 }),
      argued(B, { item_id: "fc_b", output_index: 0 }),
      done(call("a", { arguments: A }), { output_index: 0 }),
      done(call("b", { arguments: B }), { output_index: 0 }),
      completed(),
    ],
  ],
  [
    "BerriAI/litellm#30072: indexes, and other ids in each event",
    [
      added(call("a"), { output_index: 0 }),
      added(call("b"), { output_index: 1 }),
      argued(A, { item_id: "x", output_index: 0 }),
      argued(B, { item_id: "y", output_index: 1 }),
      done(call("a", { id: "z", arguments: A }), { output_index: 0 }),
      done(call("b", { id: "w", arguments: B }), { output_index: 1 }),
      completed({
        output: [call("a", { id: "u", arguments: A }), call("b", { id: "v", arguments: B })],
      }),
    ],
  ],
  [
    "one of them in the whole response alone",
    [
      added(call("a"), { output_index: 0 }),
      argued(A, { output_index: 0 }),
      completed({ output: [call("a", { arguments: A }), call("b", { arguments: B })] }),
    ],
  ],
];

describe("an answer of the Responses API with", () => {
  it.each(CALLS_A)("%s, is its call, once", async (_case, events) => {
    expect((await play(events)).chunks).toEqual(CALL_A);
  });

  it.each(TWO_CALLS)("%s, is two calls", async (_case, events) => {
    expect((await play(events)).chunks).toEqual(CALLS);
  });

  it("Soju06/codex-lb#284: a call in the whole response, beside streamed text, is both", async () => {
    const { chunks } = await play([
      said("All done.", { output_index: 0 }),
      completed({ output: [message("All done."), call("a", { arguments: A })] }),
    ]);

    expect(chunks).toEqual([...DONE_TEXT, ...CALL_A]);
  });
});
