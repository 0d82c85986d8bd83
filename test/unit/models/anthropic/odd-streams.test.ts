// Streams of the Messages API as others than Anthropic send them: the answer is the same, and everything in it is said
// once.
import { describe, expect, it } from "vitest";

import type { FailureReport } from "../../../../agent/failure-report.ts";
import type { ModelChunk } from "../../../../agent/ports.ts";
import { collect } from "../../../support/collect.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { modelAt, question, running, start } from "./stage.ts";

type Event = Readonly<Record<string, unknown>>;

const A = '{"order_id":"A-1"}';
const B = '{"order_id":"B-2"}';
const began = (usage?: Event): Event => ({ type: "message_start", message: { usage } });
const block = (content_block: Event, place: Event = { index: 0 }): Event => ({
  type: "content_block_start",
  ...place,
  content_block,
});
const call = (id: string, members: Event = {}): Event => ({
  type: "tool_use",
  id: `call_${id}`,
  name: "look_up",
  ...members,
});
const piece = (delta: Event, place: Event = { index: 0 }): Event => ({
  type: "content_block_delta",
  ...place,
  delta,
});
const said = (text: string, place?: Event): Event => piece({ type: "text_delta", text }, place);
const argued = (partial_json: unknown, place?: Event): Event =>
  piece({ type: "input_json_delta", partial_json }, place);
const stop = (place: Event = { index: 0 }): Event => ({ type: "content_block_stop", ...place });
const ended = (stop_reason: unknown, usage?: Event): Event => ({
  type: "message_delta",
  delta: { stop_reason },
  usage,
});
const STOP: Event = { type: "message_stop" };
const END = [ended("end_turn"), STOP];
const ENDS = [ended("tool_use"), STOP];

async function play(
  events: readonly Event[],
  contentType = "text/event-stream",
): Promise<{ chunks: readonly ModelChunk[]; failure: FailureReport | undefined }> {
  const isStream = contentType === "text/event-stream";
  const raw = events.map((event) => JSON.stringify(event));
  const body = isStream ? raw.map((data) => `data: ${data}\n\n`) : raw;
  const server = await start((message) => message.answer(body.join(""), contentType));
  let failure: FailureReport | undefined;
  const stream = modelAt(server.url).stream(question, running(), (found) => {
    if ("failure" in found) ({ failure } = found);
  });
  return { chunks: joinChunks(await collect(stream)), failure };
}

const DONE_TEXT: readonly ModelChunk[] = [{ text: "All done." }];
const look = (index: number, id: string, delta: string) => ({ index, id, name: "look_up", delta });
const CALL_A: readonly ModelChunk[] = [{ tool_calls: [look(0, "call_a", A)] }];
const CALLS: readonly ModelChunk[] = [{ tool_calls: [look(0, "call_a", A), look(1, "call_b", B)] }];

const TEXTS: readonly [string, readonly Event[]][] = [
  ["no start of the message, nor of its block", [said("All "), said("done."), ...END]],
  [
    "its text in the start of its block",
    [began(), block({ type: "text", text: "All done." }), ...END],
  ],
  [
    "the beginning of its text in the start of its block",
    [block({ type: "text", text: "All " }), said("done."), stop(), ...END],
  ],
  [
    "its text in the start of the message alone",
    [
      { type: "message_start", message: { content: [{ type: "text", text: "All done." }] } },
      ...END,
    ],
  ],
  ["no stop reason", [began(), said("All done."), stop(), ended(null), STOP]],
  ["no message_delta", [began(), said("All done."), stop(), STOP]],
  ["no message_stop", [began(), said("All done."), stop(), ended("end_turn")]],
  [
    "the stop reason beside the delta",
    [said("All done."), { type: "message_delta", stop_reason: "end_turn", delta: null }],
  ],
  [
    "QuantumNous/new-api#5482: indexes with gaps, and ends of blocks that never began",
    [
      began(),
      stop({ index: 0 }),
      block({ type: "text", text: "" }, { index: 3 }),
      said("All done.", { index: 4 }),
      stop({ index: 3 }),
      stop({ index: 7 }),
      ...END,
    ],
  ],
  ["no indexes", [block({ type: "text", text: "" }, {}), said("All done.", {}), stop({}), ...END]],
  [
    "no types but those of the events",
    [block({ text: "" }), piece({ text: "All done." }), stop(), ...END],
  ],
  [
    "no types at all",
    [
      { index: 0, content_block: { text: "" } },
      { index: 0, delta: { text: "All done." } },
      { delta: { stop_reason: "end_turn" } },
    ],
  ],
  [
    "deltas, blocks and events of later versions",
    [
      began(),
      block({ type: "later_block", text: "no" }),
      piece({ type: "later_delta", text: "no" }),
      stop(),
      { type: "later_event", delta: { text: "no" } },
      said("All done.", { index: 1 }),
      piece({ type: "citations_delta", citation: { cited_text: "no" } }, { index: 1 }),
      ...END,
    ],
  ],
  [
    "null in the place of everything else",
    [
      { type: "message_start", message: null },
      { type: "content_block_start", index: null, content_block: null },
      said("All done.", { index: null }),
      { type: "content_block_delta", index: null, delta: null },
      { type: "content_block_stop", index: null },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: null },
      STOP,
    ],
  ],
];

const CALLS_A: readonly [string, readonly Event[]][] = [
  [
    "an input in the start of its block",
    [block(call("a", { input: JSON.parse(A) })), stop(), ...ENDS],
  ],
  [
    "an input as a JSON text in the start of its block",
    [block(call("a", { input: A })), stop(), ...ENDS],
  ],
  [
    "an input as a JSON text in the start of its block, and streamed",
    [block(call("a", { input: A })), argued(A), stop(), ...ENDS],
  ],
  [
    "the beginning of a JSON text in the start of its block",
    [block(call("a", { input: A.slice(0, 7) })), argued(A.slice(7)), stop(), ...ENDS],
  ],
  ...["", "{}", null, {}, [], " "].map((input): [string, readonly Event[]] => [
    `${JSON.stringify(input)} as input in the start of its block, then pieces`,
    [block(call("a", { input })), argued(A.slice(0, 7)), argued(A.slice(7)), stop(), ...ENDS],
  ]),
  [
    "an object as the piece of its input",
    [block(call("a")), argued(JSON.parse(A)), stop(), ...ENDS],
  ],
  [
    "no indexes",
    [block(call("a"), {}), argued(A.slice(0, 7), {}), argued(A.slice(7), {}), stop({}), ...ENDS],
  ],
  [
    "indexes that are texts in some events",
    [block(call("a"), { index: "0" }), argued(A), stop({ index: "0" }), ...ENDS],
  ],
  ["no end of its block", [block(call("a", { input: {} })), argued(A), ...ENDS]],
  [
    "no types but those of the events",
    [block({ id: "call_a", name: "look_up" }), piece({ partial_json: A }), ...ENDS],
  ],
  ["its start twice", [block(call("a")), block(call("a")), argued(A), stop(), ...ENDS]],
  [
    "its block twice",
    [block(call("a")), argued(A), stop(), block(call("a")), argued(A), stop(), ...ENDS],
  ],
];

const TWO_CALLS: readonly [string, readonly Event[]][] = [
  [
    "no indexes",
    [block(call("a"), {}), argued(A, {}), stop({}), block(call("b"), {}), argued(B, {}), ...ENDS],
  ],
  [
    "one index for both",
    [block(call("a")), argued(A), stop(), block(call("b")), argued(B), stop(), ...ENDS],
  ],
  [
    "pieces in turn",
    [
      block(call("a"), { index: 1 }),
      block(call("b"), { index: 2 }),
      argued(A.slice(0, 7), { index: 1 }),
      argued(B.slice(0, 7), { index: 2 }),
      argued(A.slice(7), { index: 1 }),
      argued(B.slice(7), { index: 2 }),
      ...ENDS,
    ],
  ],
];

describe("an answer of the Messages API with", () => {
  it.each(TEXTS)("%s, is its text, once", async (_case, events) => {
    expect((await play(events)).chunks).toEqual(DONE_TEXT);
  });

  it.each(CALLS_A)("%s, is its call, once", async (_case, events) => {
    expect((await play(events)).chunks).toEqual(CALL_A);
  });

  it.each(TWO_CALLS)("%s, is two calls", async (_case, events) => {
    expect((await play(events)).chunks).toEqual(CALLS);
  });

  it("two calls of one index and no ids is two calls", async () => {
    const unnamed = { type: "tool_use", name: "look_up", input: {} };
    const { chunks } = await play([
      ...[A, B].flatMap((input) => [block(unnamed), argued(input), stop()]),
      ...ENDS,
    ]);

    const [a, b] = [A, B].map((delta, index) => ({ index, name: "look_up", delta }));
    expect(chunks).toEqual([{ tool_calls: [a, b] }]);
  });

  it.each([
    ["a text that is no JSON", "A-1", "A-1"],
    ["a list", ["A-1"], '["A-1"]'],
    ["a number", 7, "7"],
  ])("%s as input has it as it is, for the model to be told", async (_case, input, delta) => {
    const { chunks } = await play([block(call("a", { input })), stop(), ...ENDS]);

    expect(chunks).toEqual([{ tool_calls: [look(0, "call_a", delta)] }]);
  });

  it("no stream at all, but the message as JSON, is read", async () => {
    const content = [{ type: "text", text: "All done." }, call("a", { input: JSON.parse(A) })];
    const { chunks } = await play(
      [{ type: "message", role: "assistant", content, stop_reason: "tool_use" }],
      "application/json",
    );

    expect(chunks).toEqual([...DONE_TEXT, ...CALL_A]);
  });
});

describe("the usage of a message", () => {
  const told = { input_tokens: 11, output_tokens: 7 };

  it.each<readonly [string, readonly Event[]]>([
    [
      "0xPlaygrounds/rig#2235: in its start, with zero at its end",
      [
        began({ input_tokens: 11, output_tokens: 1 }),
        said("All done."),
        ended("end_turn", { input_tokens: 0, output_tokens: 7 }),
        STOP,
      ],
    ],
    ["in its start alone, without a message_delta", [began(told), said("All done."), STOP]],
    ["at its end alone", [said("All done."), ended("end_turn", told), STOP]],
    ["with message_stop", [said("All done."), { ...STOP, usage: told }]],
    [
      "and not taken back by null",
      [began(told), said("All done."), ended("end_turn", { input_tokens: null }), STOP],
    ],
  ])("is read %s", async (_case, events) => {
    const { chunks } = await play(events);

    const counts = { cache_input_tokens: 0, cache_creation_input_tokens: 0 };
    expect(chunks).toEqual([...DONE_TEXT, { usage: { ...told, ...counts } }]);
  });
});

describe("a message that was not finished", () => {
  it.each<readonly [string, readonly Event[], FailureReport["kind"]]>([
    [
      "has no stop reason and no end",
      [began(), said("Half"), stop(), ended(null)],
      "connection_lost",
    ],
    [
      "CherryHQ/cherry-studio#16079: says network_error",
      [said("Half"), ended("network_error"), STOP],
      "provider_error",
    ],
    ["says error", [said("Half"), ended("error"), STOP], "provider_error"],
  ])("%s, and has failed", async (_case, events, kind) => {
    const { chunks, failure } = await play(events);

    expect(chunks.at(-1)?.error).toBeDefined();
    expect(failure?.kind).toBe(kind);
  });

  it("CherryHQ/cherry-studio#16079: was withheld by the filter where it says sensitive", async () => {
    const { chunks } = await play([ended("sensitive"), STOP]);

    expect(chunks).toEqual([{ ended_early: "filtered" }]);
  });
});
