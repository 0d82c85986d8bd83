// Calls of chat completions in the forms of many endpoints: which pieces are one call, and what its input is.
import { describe, expect, it } from "vitest";

import { ChunkReader } from "../../../model/openai/chunk-reader.ts";
import { joinChunks } from "../../support/join-chunks.ts";

const A = '{"order_id":"A-1"}';
const B = '{"order_id":"B-2"}';

interface Piece {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
}

function made({ index, id, name, input }: Piece): object {
  return { index, id, type: "function", function: { name, arguments: input } };
}

/** The chunks of one read, the pieces of each list in one delta. */
function chunksOf(deltas: readonly (readonly Piece[])[]) {
  const reader = new ChunkReader(true, "anybody");
  const events = deltas.map((pieces) => ({
    choices: [{ index: 0, delta: { tool_calls: pieces.map(made) } }],
  }));
  const chunks = reader.read(events.map((event) => JSON.stringify(event)));
  return joinChunks(chunks);
}

function callsOf(deltas: readonly (readonly Piece[])[]): readonly unknown[] {
  return chunksOf(deltas).flatMap(({ tool_calls = [] }) =>
    tool_calls.map(({ name, delta }) => [name, delta]),
  );
}

const TWO: readonly [string, readonly (readonly Piece[])[]][] = [
  [
    "NousResearch/hermes-agent#62940: one index, no id, other names",
    [[{ index: 0, name: "look", input: A }], [{ index: 0, name: "cancel", input: B }]],
  ],
  [
    "NousResearch/hermes-agent#62940: one index, no id, one name",
    [[{ index: 0, name: "look", input: A }], [{ index: 0, name: "look", input: B }]],
  ],
  [
    "NousResearch/hermes-agent#62940: one index, an empty id",
    [
      [{ index: 0, id: "", name: "look", input: A }],
      [{ index: 0, id: "", name: "look", input: B }],
    ],
  ],
  [
    "no index, no id, in one chunk",
    [
      [
        { name: "look", input: A },
        { name: "look", input: B },
      ],
    ],
  ],
  [
    "one index, no id, in one chunk, inputs in pieces",
    [
      [
        { index: 0, name: "look", input: A },
        { index: 0, name: "look", input: '{"order_id":' },
      ],
      [{ index: 0, input: '"B-2"}' }],
    ],
  ],
  [
    "no index, no id, inputs in pieces",
    [
      [{ name: "look", input: "" }],
      [{ input: '{"order_id":' }],
      [{ input: '"A-1"}' }],
      [{ name: "look", input: '{"order_id":' }],
      [{ input: '"B-2"}' }],
    ],
  ],
  [
    "one index, ids, pieces interleaved",
    [
      [{ index: 0, id: "a", name: "look", input: '{"order_id":' }],
      [{ index: 0, id: "b", name: "look", input: '{"order_id":' }],
      [{ index: 0, id: "a", input: '"A-1"}' }],
      [{ index: 0, id: "b", input: '"B-2"}' }],
    ],
  ],
  [
    "one index, ids, names with each piece",
    [
      [{ index: 0, id: "a", name: "look", input: '{"order_id":' }],
      [{ index: 0, id: "b", name: "look", input: '{"order_id":' }],
      [{ index: 0, id: "a", name: "look", input: '"A-1"}' }],
      [{ index: 0, id: "b", name: "look", input: '"B-2"}' }],
    ],
  ],
  [
    "one id for both",
    [[{ index: 0, id: "look", name: "look", input: A }], [{ id: "look", name: "look", input: B }]],
  ],
  [
    "one id and one index for both",
    [
      [{ index: 0, id: "look", name: "look", input: A }],
      [{ index: 0, id: "look", name: "look", input: B }],
    ],
  ],
  [
    "router-for-me/CLIProxyAPI#3474: a third of nothing",
    [
      [{ index: 0, id: "a", name: "look", input: A }],
      [{ index: 1, id: "b", name: "look", input: B }],
      [{ index: 2, id: "", name: "", input: "" }],
    ],
  ],
  [
    "an empty object behind them, with the index of the last",
    [
      [{ index: 0, id: "a", name: "look", input: A }],
      [{ index: 1, id: "b", name: "look", input: B }],
      [{ index: 1, id: "", name: "", input: "{}" }],
    ],
  ],
  [
    "an empty object behind them, without an index",
    [
      [{ index: 0, id: "a", name: "look", input: A }],
      [{ index: 1, id: "b", name: "look", input: B }],
      [{ input: " {} " }],
    ],
  ],
  [
    "said again as a whole at the end",
    [
      [{ index: 0, id: "a", name: "look", input: A }],
      [{ index: 1, id: "b", name: "look", input: B.slice(0, 5) }],
      [{ index: 1, input: B.slice(5) }],
      [
        { index: 0, id: "a", name: "look", input: A },
        { index: 1, id: "b", name: "look", input: B },
      ],
    ],
  ],
  [
    "ggml-org/llama.cpp#20198: inputs as objects",
    [
      [{ index: 0, id: "a", name: "look", input: { order_id: "A-1" } }],
      [{ index: 1, id: "b", name: "look", input: { order_id: "B-2" } }],
    ],
  ],
];

describe("two calls of chat completions", () => {
  it.each(TWO)("are two with %s", (_case, deltas) => {
    expect(callsOf(deltas).map((call) => (call as string[])[1])).toEqual([A, B]);
  });
});

const ONE: readonly [string, readonly (readonly Piece[])[], string][] = [
  [
    "its name with each piece",
    [
      [{ index: 0, name: "look", input: '{"order_id":' }],
      [{ index: 0, name: "look", input: '"A-1"}' }],
      [{ index: 0, name: "look", input: "" }],
    ],
    A,
  ],
  [
    "its id and its name with each piece",
    [
      [{ index: 0, id: "a", name: "look", input: '{"order_id":' }],
      [{ index: 0, id: "a", name: "look", input: '"A-1"}' }],
      [{ index: 0, id: "a", name: "look", input: " " }],
    ],
    `${A} `,
  ],
  [
    "an index in its first piece alone",
    [[{ index: 0, id: "a", name: "look", input: '{"order_id":' }], [{ input: '"A-1"}' }]],
    A,
  ],
  [
    "a text with brackets in its input",
    [
      [{ index: 0, name: "look", input: '{"order_id":"}\\"}{' }],
      [{ index: 0, name: "look", input: 'A"}' }],
    ],
    '{"order_id":"}\\"}{A"}',
  ],
  [
    "an object before its pieces",
    [[{ index: 0, id: "a", name: "look", input: {} }], [{ index: 0, input: A }]],
    A,
  ],
  ["an input of null", [[{ index: 0, id: "a", name: "look", input: null }]], ""],
  ["no input", [[{ index: 0, id: "a", name: "look" }]], ""],
  ["a number as its input", [[{ index: 0, id: "a", name: "look", input: 7 }]], "7"],
  ["a list as its input", [[{ index: 0, id: "a", name: "look", input: ["A-1"] }]], '["A-1"]'],
  ["an input that is false", [[{ index: 0, id: "a", name: "look", input: false }]], "false"],
];

describe("a call of chat completions", () => {
  it.each(ONE)("is one with %s", (_case, deltas, input) => {
    expect(callsOf(deltas)).toEqual([["look", input]]);
  });

  it.each([
    [
      "beside its function",
      { id: "a", function: { name: "look" }, arguments: { order_id: "A-1" } },
    ],
    ["without a function", { id: "a", name: "look", arguments: A }],
    ["as parameters", { id: "a", function: { name: "look", parameters: { order_id: "A-1" } } }],
  ])("has its input %s", (_case, call) => {
    const reader = new ChunkReader(true, "anybody");

    const chunks = reader.read([JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })]);

    expect(chunks).toEqual([{ tool_calls: [{ index: 0, id: "a", name: "look", delta: A }] }]);
  });

  it("sigoden/aichat#1217: is read in its older form", () => {
    const reader = new ChunkReader(true, "anybody");
    const deltas = [
      { name: "look", arguments: "" },
      { arguments: A.slice(0, 7) },
      { arguments: A.slice(7) },
    ];
    const events = deltas.map((piece) => ({ choices: [{ delta: { function_call: piece } }] }));
    const end = { choices: [{ delta: {}, finish_reason: "function_call" }] };

    const chunks = reader.read([...events, end].map((event) => JSON.stringify(event)));

    expect(joinChunks(chunks)).toEqual([{ tool_calls: [{ index: 0, name: "look", delta: A }] }]);
    expect(reader.failure).toBeNull();
  });

  it("has failed with an input that is deeper than any", () => {
    const deep = `${'{"a":'.repeat(8_000)}1${"}".repeat(8_000)}`;
    const call = JSON.stringify(made({ index: 0, name: "look", input: "?" })).replace('"?"', deep);
    const reader = new ChunkReader(true, "anybody");

    const chunks = reader.read([`{"choices":[{"delta":{"tool_calls":[${call}]}}]}`]);

    expect(chunks).toEqual([]);
    expect(reader.failure).toMatchObject({ report: { kind: "malformed_answer" } });
  });
});
