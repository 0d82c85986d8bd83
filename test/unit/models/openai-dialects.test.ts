// Chat completions as different endpoints write them: one protocol, many hands.
import { describe, expect, it, onTestFinished } from "vitest";

import type { ModelChunk, ModelRequest } from "../../../agent/ports.ts";
import { createOpenAiModel } from "../../../model/openai/openai-model.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { collect } from "../../support/collect.ts";
import { startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import { joinChunks } from "../../support/join-chunks.ts";

/** The author of a thought without a signature. */
const UNSIGNED = expect.stringContaining('"unsigned":"reasoning_content"') as unknown as string;

const request: ModelRequest = {
  system_prompt: "",
  messages: [],
  tools: [],
};

/** The chunks of a stream, sent at once or in pieces of this many bytes. */
async function read(stream: string, pieceBytes: number): Promise<ModelChunk[]> {
  const bytes = Buffer.from(stream);
  const turn: FakeTurn = async (answer) => {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      answer.raw(bytes.subarray(from, from + pieceBytes));
      await new Promise((resolve) => setImmediate(resolve));
    }
    answer.end();
  };
  const server = await startFakeOpenAi(turn);
  onTestFinished(() => server.stop());
  const model = createOpenAiModel({
    definition: { provider: "openai", name: "fake", base_url: server.baseUrl, parameters: {} },
    outgoing: createOutgoing({ environment: "local", fetch }),
  });
  return joinChunks(await collect(model.stream(request, new AbortController().signal)));
}

function events(values: readonly unknown[], lineEnd = "\n"): string {
  const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return texts.map((text) => `data: ${text}${lineEnd}${lineEnd}`).join("");
}

function usage(input_tokens: number, output_tokens: number): ModelChunk {
  const none = { cache_input_tokens: 0, cache_creation_input_tokens: 0 };
  return { usage: { input_tokens, output_tokens, ...none } };
}

function said(content: string | null, others: object = {}, finish_reason: string | null = null) {
  return { choices: [{ index: 0, delta: { content, ...others }, finish_reason }] };
}

const filtered = { hate: { filtered: false, severity: "safe" } };
const padded = (content: string, obfuscation: string) => ({ ...said(content), obfuscation });

const dialects: readonly [string, string, readonly ModelChunk[]][] = [
  [
    "tokens that are padded to hide their length",
    events([
      padded("It ", "x8Kp"),
      padded("is ", "Jw"),
      ...Array.from({ length: 12 }, (_, count) => padded(`${count} `, "y".repeat(count))),
      padded("late", ""),
      said("", {}, "stop"),
      "[DONE]",
    ]),
    [{ text: "It is 0 1 2 3 4 5 6 7 8 9 10 11 late" }],
  ],
  [
    "a first event about the prompt, and a filter's verdict in each",
    events([
      {
        choices: [],
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: filtered }],
      },
      { choices: [{ index: 0, delta: { content: "", refusal: null, role: "assistant" } }] },
      { choices: [{ index: 0, delta: { content: "Yes" }, content_filter_results: filtered }] },
      { choices: [{ index: 0, delta: { content: ", it is" }, content_filter_results: filtered }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "stop", content_filter_results: {} }] },
      "[DONE]",
    ]),
    [{ text: "Yes, it is" }],
  ],
  [
    "thoughts and words in fields that are both always there",
    events([
      said("", { role: "assistant", reasoning_content: "" }),
      said(null, { reasoning_content: "Hm" }),
      said(null, { reasoning_content: "." }),
      said("Hm", { reasoning_content: null }),
      said(".", { reasoning_content: null }),
      {
        ...said("", { reasoning_content: null }, "stop"),
        usage: { prompt_tokens: 5, completion_tokens: 4 },
      },
      "[DONE]",
    ]),
    [{ thinking: "Hm." }, { thinking_signature: UNSIGNED, text: "Hm" }, { text: "." }, usage(5, 4)],
  ],
  [
    "thoughts under two names at once",
    events([
      said("", { reasoning: "Hm", reasoning_content: "Hm" }),
      said("", { reasoning: ", yes", reasoning_content: ", yes" }),
      said("Yes", { reasoning: null, reasoning_content: null }),
      said("", {}, "stop"),
    ]),
    [{ thinking: "Hm, yes" }, { thinking_signature: UNSIGNED, text: "Yes" }],
  ],
  [
    "comments while it thinks, and lines that end as those of HTTP do",
    `: PROCESSING\r\n\r\n: PROCESSING\r\n\r\n${events([said("On "), said("its way."), said("", {}, "stop"), "[DONE]"], "\r\n")}`,
    [{ text: "On its way." }],
  ],
  [
    "the usage so far with every token",
    events([
      { ...said("a"), usage: { prompt_tokens: 3, completion_tokens: 1 } },
      { ...said("b"), usage: { prompt_tokens: 3, completion_tokens: 2 } },
      said("", {}, "stop"),
    ]),
    [
      { text: "a", ...usage(3, 1) },
      { text: "b", ...usage(3, 2) },
    ],
  ],
  [
    "characters as escapes, and one whose halves come in two events",
    events([
      String.raw`{"choices":[{"index":0,"delta":{"content":"\u00e9\u6f22"}}]}`,
      String.raw`{"choices":[{"index":0,"delta":{"content":"\ud83d"}}]}`,
      String.raw`{"choices":[{"index":0,"delta":{"content":"\ude9a"}}]}`,
      `{"choices":[{"index":0,"delta":{"content":"é漢🚚"}}]}`,
      `{"choices":[{"index":0,"delta":{"content":"🚚漢é"}}]}`,
      said("", {}, "stop"),
    ]),
    [{ text: "é漢🚚é漢🚚🚚漢é" }],
  ],
  [
    "a mark of its encoding, events of several lines and of other names",
    `\u{feff}data: {"choices":[{"index":0,\ndata: "delta":{"content":"one "}}]}\n\nevent: ping\nid: 7\n\nevent: message\ndata:{"choices":[{"delta":{"content":"two"}}]}\n\n${events([said(null, {}, "stop"), "[DONE]"])}`,
    [{ text: "one two" }],
  ],
  [
    "keys twice, answers that nobody asked for, and names that objects have of their own",
    events([
      `{"choices":[{"index":0,"delta":{"content":"lost","content":"kept "}}]}`,
      `{"choices":[{"index":0,"delta":{"content":"lost","content":"again "}}]}`,
      `{"choices":[{"index":1,"delta":{"content":"other"}},{"index":0,"delta":{"content":"mine "}}]}`,
      `{"choices":[{"index":1,"delta":{"content":"mine"}},{"index":0,"delta":{"content":"mine "}}]}`,
      `{"choices":[{"index":0,"delta":{"__proto__":{"content":"no"},"constructor":"no"}}],"__proto__":1}`,
      `{"choices":[{"index":0,"delta":{"__proto__":"a","content":"b "}}]}`,
      `{"choices":[{"index":0,"delta":{"__proto__":"a","content":"c"}}]}`,
      said("", {}, "stop"),
    ]),
    [{ text: "kept again mine mine b c" }],
  ],
];

describe("a stream with", () => {
  it.each(dialects)(
    "%s is read as it is meant, however it is cut",
    async (_case, stream, meant) => {
      for (const pieceBytes of [stream.length * 4, 7, 1]) {
        expect(await read(stream, pieceBytes)).toEqual(meant);
      }
    },
  );
});
