// Messages and blocks under the names that the documents and releases of AgentScope have given them.
import { describe, expect, it } from "vitest";

import { normalizeBlock } from "../../../protocol/dialects/normalize-block.ts";
import { normalizeMessage } from "../../../protocol/dialects/normalize-message.ts";
import { parseMessage, safeParseMessage } from "../../../protocol/parse.ts";

const base64 = { type: "base64", data: "YQ==" };

it("an enum that is longer than any stays as it is", () => {
  const role = "A_".repeat(4_000_000);

  expect(normalizeMessage({ role })).toEqual({ role });
});

describe("a Java message", () => {
  it("is understood", () => {
    const message = parseMessage({
      id: "m1",
      role: "ASSISTANT",
      timestamp: "2026-01-31 12:00:00.123",
      usage: { inputTokens: 1, outputTokens: 2, time: 0.5 },
      metadata: { agentscope_generate_reason: "MODEL_STOP", createdAt: "mine" },
      content: [
        { type: "thinking", id: "b1", createdAt: "T", thinking: "x", metadata: { signature: "s" } },
        { type: "tool_use", id: "c1", createdAt: "T", name: "f", input: {}, state: "FINISHED" },
        {
          type: "tool_result",
          id: "c1",
          createdAt: "T",
          finishedAt: "T2",
          name: "f",
          state: "SUCCESS",
          output: [
            {
              type: "image",
              id: "b2",
              createdAt: "T",
              source: { ...base64, mediaType: "image/gif" },
            },
          ],
        },
      ],
    });

    expect(message).toEqual({
      name: "assistant",
      content: [
        {
          type: "thinking",
          thinking: "x",
          id: "b1",
          created_at: "T",
          finished_at: null,
          metadata: { signature: "s" },
        },
        {
          type: "tool_call",
          id: "c1",
          name: "f",
          input: "{}",
          state: "finished",
          suggested_rules: [],
          created_at: "T",
          finished_at: null,
        },
        {
          type: "tool_result",
          id: "c1",
          name: "f",
          output: [
            {
              type: "data",
              id: "b2",
              source: { ...base64, media_type: "image/gif" },
              name: null,
              created_at: "T",
              finished_at: null,
            },
          ],
          state: "success",
          metadata: {},
          created_at: "T",
          finished_at: "T2",
        },
      ],
      role: "assistant",
      id: "m1",
      metadata: { agentscope_generate_reason: "MODEL_STOP", createdAt: "mine" },
      created_at: "2026-01-31T12:00:00.123",
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
      finished_at: null,
      finished_reason: null,
      structured_output: null,
      error: null,
    });
  });

  it("with the role TOOL is an assistant's message", () => {
    const message = {
      role: "TOOL",
      name: "f",
      content: [{ type: "tool_result", id: "c1", name: "f", output: [] }],
    };

    expect(parseMessage(message)).toMatchObject({ role: "assistant", name: "f" });
  });
});

describe("normalizeMessage", () => {
  it.each([
    ["the role tool", { name: "A", role: "tool", content: [] }],
    ["the role Tool", { name: "A", role: "Tool", content: [] }],
    ["a string as content", { name: "A", role: "USER", content: "hi" }],
    ["no name in today's form", { role: "user", content: [] }],
  ])("leaves %s for the schema to refuse", (_what, message) => {
    expect(safeParseMessage(message).success).toBe(false);
  });

  it("does not touch free-form members", () => {
    const message = {
      name: "A",
      role: "assistant",
      content: [],
      metadata: { replyId: "x", role: "USER" },
      structured_output: { toolName: "SUCCESS" },
    };

    expect(normalizeMessage(message)).toEqual(message);
  });

  it.each([null, 7, "x", [], { content: 7 }, { content: [null, 7, "x", []] }])(
    "gives %j back",
    (value) => {
      expect(normalizeMessage(value)).toEqual(value);
    },
  );
});

describe("normalizeBlock", () => {
  it.each([
    [
      "a parsed input as JSON text",
      { type: "tool_use", id: "c1", name: "f", input: { toolName: "SUCCESS" } },
      { type: "tool_call", id: "c1", name: "f", input: '{"toolName":"SUCCESS"}' },
    ],
    [
      "the model's own text rather than the parsed input",
      { type: "tool_use", id: "c1", name: "f", input: {}, content: '{"a": 1' },
      { type: "tool_call", id: "c1", name: "f", input: '{"a": 1' },
    ],
    [
      "the parsed input when the model's text is empty",
      { type: "tool_use", id: "c1", name: "f", input: { a: 1 }, content: "" },
      { type: "tool_call", id: "c1", name: "f", input: '{"a":1}' },
    ],
    [
      "suggested rules",
      {
        type: "tool_call",
        input: "{}",
        suggestedRules: [{ toolName: "f", ruleContent: "x", behavior: "DENY", source: "s" }],
      },
      {
        type: "tool_call",
        input: "{}",
        suggested_rules: [{ tool_name: "f", rule_content: "x", behavior: "deny", source: "s" }],
      },
    ],
    [
      "an image without a media type",
      { type: "image", source: base64 },
      { type: "data", source: { ...base64, media_type: "image/png" } },
    ],
    [
      "an audio with one",
      { type: "audio", source: { ...base64, media_type: "audio/flac" } },
      { type: "data", source: { ...base64, media_type: "audio/flac" } },
    ],
    [
      "a video whose address says what it is",
      { type: "video", source: { type: "url", url: "https://h/a.WebM?x=1.mp4" } },
      {
        type: "data",
        source: { type: "url", url: "https://h/a.WebM?x=1.mp4", media_type: "video/webm" },
      },
    ],
    [
      "a data block whose address says nothing",
      { type: "data", source: { type: "url", url: "https://h.png/a" } },
      {
        type: "data",
        source: { type: "url", url: "https://h.png/a", media_type: "application/octet-stream" },
      },
    ],
    [
      "a url's mime_type",
      { type: "data", source: { type: "url", url: "https://h/a", mime_type: "image/webp" } },
      { type: "data", source: { type: "url", url: "https://h/a", media_type: "image/webp" } },
    ],
    [
      "a hint's source",
      { type: "hint", hint: [{ type: "image", source: base64 }], hintSource: "plan" },
      {
        type: "hint",
        hint: [{ type: "data", source: { ...base64, media_type: "image/png" } }],
        source: "plan",
      },
    ],
    [
      "a thinking block's strangers",
      { type: "thinking", thinking: "x", toolName: "SUCCESS", metadata: { mediaType: "x" } },
      { type: "thinking", thinking: "x", toolName: "SUCCESS", metadata: { mediaType: "x" } },
    ],
  ])("understands %s", (_what, block, expected) => {
    expect(normalizeBlock(block)).toEqual(expected);
  });

  it("goes no deeper than blocks can", () => {
    let block: unknown = { type: "text", text: "x" };
    for (let depth = 0; depth < 100_000; depth += 1) {
      block = { type: "tool_result", id: "c", name: "f", output: [block] };
    }

    expect(normalizeBlock(block)).toHaveProperty("id", "c");
  });
});
