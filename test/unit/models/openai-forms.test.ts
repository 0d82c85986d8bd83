// Members of chat completions that endpoints put elsewhere or give another form, and ends that are none.
import { describe, expect, it } from "vitest";

import type { ModelChunk } from "../../../agent/ports.ts";
import { sealUnsigned } from "../../../model/conversation/unsigned-reasoning.ts";
import { ChunkReader } from "../../../model/openai/chunk-reader.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";
import { joinChunks } from "../../support/join-chunks.ts";

function read(...events: readonly unknown[]) {
  const reader = new ChunkReader(true, "anybody");
  const chunks = joinChunks(reader.read(events.map((event) => JSON.stringify(event))));
  return { chunks, failure: reader.failure, finishReason: reader.finishReason };
}

function said(delta: object, finish_reason: string | null = null, others: object = {}): object {
  return { choices: [{ index: 0, delta, finish_reason, ...others }] };
}

const text = (words: string) => ({ type: "text", text: words });
const thought = (...words: readonly string[]) => ({ type: "thinking", thinking: words.map(text) });
const detail = (words: string) => ({
  reasoning_details: [{ type: "reasoning.text", text: words }],
});

const UNSIGNED = sealUnsigned("anybody", "reasoning");

const CONTENTS: readonly [string, readonly object[], readonly ModelChunk[]][] = [
  [
    "BerriAI/litellm#16272: parts of text",
    [{ content: [text("One ")] }, { content: [text("two")] }, { content: [text(""), text(".")] }],
    [{ text: "One two." }],
  ],
  [
    "BerriAI/litellm#16272: parts of thinking, then strings",
    [{ content: [thought("Hm")] }, { content: [thought(", ", "yes")] }, { content: "Two." }],
    [{ thinking: "Hm, yes" }, { text: "Two." }],
  ],
  [
    "mozilla-ai/any-llm-go#162: thinking and text in one chunk",
    [{ content: [thought("Hm"), text("Two")] }, { content: [text(".")] }],
    [{ thinking: "Hm", text: "Two" }, { text: "." }],
  ],
  [
    "a thought that is a text",
    [{ content: [{ type: "thinking", thinking: "Hm" }] }],
    [{ thinking: "Hm" }],
  ],
  ["a part that is no list", [{ content: text("One") }], [{ text: "One" }]],
  [
    "parts of other kinds",
    [{ content: [{ type: "citation" }, 7, null, text("One")] }],
    [{ text: "One" }],
  ],
  [
    "a thought that says by its type alone that it is one",
    [{ content: [{ type: "reasoning", text: "Hm" }, text("One")] }],
    [{ thinking: "Hm", text: "One" }],
  ],
  [
    "reasoning as parts",
    [{ reasoning: [text("H"), text("m")] }, { content: "One" }],
    [{ thinking: "Hm" }, { thinking_signature: UNSIGNED, text: "One" }],
  ],
  [
    "reasoning_details alone",
    [detail("Hm"), detail(", yes"), { content: "Two." }],
    [{ thinking: "Hm, yes" }, { thinking_signature: UNSIGNED, text: "Two." }],
  ],
  [
    "summaries in reasoning_details alone",
    [{ reasoning_details: [{ type: "reasoning.summary", summary: "Hm" }] }],
    [{ thinking: "Hm" }],
  ],
  [
    "reasoning_details beside the same reasoning",
    [
      { reasoning: "Hm", ...detail("Hm") },
      { reasoning: ".", ...detail(".") },
    ],
    [{ thinking: "Hm." }],
  ],
  [
    "reasoning_details behind the same reasoning",
    [{ reasoning: "Hm" }, { reasoning: "Hm" }, detail("HmHm"), { content: "Two." }],
    [{ thinking: "HmHm" }, { thinking_signature: UNSIGNED, text: "Two." }],
  ],
];

describe("a delta of chat completions", () => {
  it.each(CONTENTS)("is read with %s", (_case, deltas, chunks) => {
    expect(read(...deltas.map((delta) => said(delta)), said({}, "stop"))).toEqual({
      chunks,
      failure: null,
      finishReason: "stop",
    });
  });
});

const counts = { prompt_tokens: 11, completion_tokens: 7 };

function usage(cache_input_tokens = 0): Usage {
  return { input_tokens: 11, output_tokens: 7, cache_input_tokens, cache_creation_input_tokens: 0 };
}

const USAGES: readonly [string, readonly object[], Usage][] = [
  ["earendil-works/pi#2017: in the choice", [said({}, "stop", { usage: counts })], usage()],
  [
    "groq/groq-python#119: in x_groq",
    [{ ...said({}, "stop"), x_groq: { id: "req_1", usage: counts } }],
    usage(),
  ],
  [
    "router-for-me/CLIProxyAPI#5419: before null and {}",
    [
      { ...said({}, "stop"), usage: counts },
      { choices: [], usage: null },
      { choices: [], usage: {} },
    ],
    usage(),
  ],
  [
    "before zeros",
    [
      { choices: [], usage: { ...counts, prompt_cache_hit_tokens: 4 } },
      { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } },
    ],
    usage(4),
  ],
  [
    "with DeepSeek's cached tokens",
    [
      {
        choices: [],
        usage: { ...counts, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 7 },
      },
    ],
    usage(4),
  ],
  [
    "with Kimi's cached tokens",
    [{ choices: [], usage: { ...counts, cached_tokens: 4 } }],
    usage(4),
  ],
  [
    "under Anthropic's names",
    [{ choices: [], usage: { input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 4 } }],
    usage(4),
  ],
  [
    "with cached tokens in two places",
    [
      {
        choices: [],
        usage: { ...counts, cached_tokens: 4, prompt_tokens_details: { cached_tokens: 4 } },
      },
    ],
    usage(4),
  ],
];

describe("usage of chat completions", () => {
  it.each(USAGES)("is counted %s", (_case, events, counted) => {
    const { chunks } = read(said({ content: "Hi" }), ...events, said({}, "stop"));

    expect(chunks.findLast((chunk) => chunk.usage)?.usage).toEqual(counted);
  });
});

const FAILED: readonly string[] = [
  "insufficient_system_resource",
  "error",
  "network_error",
  "abort",
  "ERROR",
  "Aborted",
  "cancelled",
  "canceled",
  "timeout",
  "internal_error",
  "server-error",
  "engine_overloaded",
  "malformed_function_call",
  "function_call_filter: MALFORMED_FUNCTION_CALL",
];

const COMPLETE: readonly string[] = [
  "stop",
  "length",
  "tool_calls",
  "function_call",
  "content_filter",
  "eos",
  "end_turn",
  "model_length",
  "STOP",
  "errorless",
];

describe("a finish reason of chat completions", () => {
  it.each(FAILED)("%s fails the call", (reason) => {
    expect(read(said({ content: "The refund of order" }), said({}, reason))).toEqual({
      chunks: [{ text: "The refund of order" }],
      failure: { type: "upstream", report: { kind: "provider_error", code: reason } },
      finishReason: reason,
    });
  });

  it.each(COMPLETE)("%s ends the answer", (reason) => {
    expect(read(said({ content: "Done." }), said({}, reason))).toEqual({
      chunks: [{ text: "Done." }],
      failure: null,
      finishReason: reason,
    });
  });

  it("that fails the call leaves the words to the error beside it", () => {
    const error = { code: 502, message: "Provider disconnected" };
    const report = { kind: "provider_error", code: "502", message: "Provider disconnected" };

    for (const event of [{ ...said({}, "error"), error }, said({}, "error", { error })]) {
      expect(read(said({ content: "Half" }), event).failure).toMatchObject({
        type: "upstream",
        report,
      });
    }
  });
});

const MESSAGE = {
  role: "assistant",
  reasoning_content: "Hm.",
  content: "I look.",
  tool_calls: [
    { id: "a", type: "function", function: { name: "look", arguments: '{"id":1}' } },
    { id: "b", type: "function", function: { name: "look", arguments: '{"id":2}' } },
  ],
};

describe("a whole answer of chat completions in place of a stream", () => {
  const event = {
    object: "chat.completion",
    choices: [{ index: 0, message: MESSAGE, finish_reason: "tool_calls" }],
    usage: counts,
  };

  it("is read", () => {
    expect(read(event)).toEqual({
      chunks: [
        {
          thinking: "Hm.",
        },
        {
          thinking_signature: sealUnsigned("anybody", "reasoning_content"),
          text: "I look.",
          tool_calls: [
            { index: 0, id: "a", name: "look", delta: '{"id":1}' },
            { index: 1, id: "b", name: "look", delta: '{"id":2}' },
          ],
          usage: usage(),
        },
      ],
      failure: null,
      finishReason: "tool_calls",
    });
  });

  it("is not read behind the same words in a stream", () => {
    const { chunks } = read(said({ content: "I look." }), said({ content: "" }, "stop"), event);

    expect(chunks).toEqual([{ text: "I look." }, { usage: usage() }]);
  });
});
