// The order of a request's members: each request begins like the one before it, which is what providers cache.
import { describe, expect, it } from "vitest";

import type { ModelRequest } from "../../../../agent/ports.ts";
import { createModel } from "../../../../model/create-model.ts";
import { ModelDefinitionSchema } from "../../../../protocol/models/contract.ts";
import { MsgSchema } from "../../../../protocol/messages/messages.ts";
import { collect } from "../../../support/collect.ts";

const say = (role: "user" | "assistant", text: string, id: string) =>
  MsgSchema.parse({ id, name: role, role, content: [{ type: "text", text }] });
const first = say("user", "Where is A-1?", "msg_1");
const later = [first, say("assistant", "Here.", "msg_2"), say("user", "And A-2?", "msg_3")];
const tool = {
  name: "look_up",
  description: "Looks up.",
  input_schema: { type: "object" },
  read_only: true,
  concurrency_safe: true,
  idempotent: true,
};
const PLAIN = { system_prompt: "Be kind.", messages: [first], tools: [tool] };

const MODELS: readonly (readonly [string, object])[] = [
  ["chat completions", { provider: "openai", name: "gpt-x", parameters: { temperature: 0.5 } }],
  ["responses", { provider: "openai", api: "responses", name: "gpt-x" }],
  [
    "anthropic",
    { provider: "anthropic", name: "claude-x", parameters: { thinking: { type: "adaptive" } } },
  ],
];

async function bodyOf(definition: object, request: ModelRequest): Promise<string> {
  let sent = "";
  const model = createModel(ModelDefinitionSchema.parse(definition), {
    outgoing: async (_input, init) => {
      sent = typeof init?.body === "string" ? init.body : "";
      return new Response("", { headers: { "content-type": "text/event-stream" } });
    },
    secrets: () => ({ ok: true, secret: "sk" }),
    decideTurn: () => ({ parts: [] }),
  });
  await collect(model.stream(request, new AbortController().signal));
  return sent;
}

function common(first_: string, second: string): string {
  let end = 0;
  while (end < first_.length && first_[end] === second[end]) end += 1;
  return first_.slice(0, end);
}

describe.each(MODELS)("a request by %s", (name, definition) => {
  const conversation = name === "responses" ? '"input":' : '"messages":';

  it("has the same bytes each time", async () => {
    expect(await bodyOf(definition, PLAIN)).toBe(await bodyOf(definition, PLAIN));
  });

  it("has tools and prompt in front of the conversation", async () => {
    const body = await bodyOf(definition, PLAIN);

    for (const stable of ['"model":', '"tools":', "Be kind."]) {
      // Chat completions have the prompt as the first message.
      expect(body.indexOf(stable)).toBeGreaterThan(0);
      if (stable !== "Be kind." || name !== "chat completions") {
        expect(body.indexOf(stable)).toBeLessThan(body.indexOf(conversation));
      }
    }
  });

  it("keeps its beginning when the conversation grows", async () => {
    const shared = common(
      await bodyOf(definition, PLAIN),
      await bodyOf(definition, { ...PLAIN, messages: later }),
    );

    expect(shared).toContain("Where is A-1?");
  });

  it.each([
    ["a tool that has to be called", { tool_choice: "look_up" }],
    [
      "options of the reply",
      {
        options: {
          tool_choice: "required",
          parallel_tool_calls: false,
          reasoning_effort: "low",
          parameters: { temperature: 1, max_tokens: 7 },
        },
      },
    ],
  ] as const)("keeps its beginning and its conversation with %s", async (_case, changed) => {
    const [plain, other] = await Promise.all([
      bodyOf(definition, { ...PLAIN, messages: later }),
      bodyOf(definition, { ...PLAIN, messages: later, ...changed }),
    ]);

    const parts = JSON.parse(other) as Record<string, unknown>;
    expect(parts["tool_choice"]).toBeDefined();
    if (!("options" in changed)) expect(common(plain, other)).toContain("And A-2?");
    // The value that the reply replaces is nowhere else in the body.
    else expect(other.match(/"temperature"/g)).toHaveLength(1);
    expect(other.indexOf('"tool_choice"')).toBeGreaterThan(other.indexOf("And A-2?"));
  });
});

describe("the key of OpenAI's cache", () => {
  const keyOf = async (definition: object, messages = later) => {
    const body = await bodyOf({ name: "gpt-x", ...definition }, { ...PLAIN, messages });
    return (JSON.parse(body) as Record<string, unknown>)["prompt_cache_key"];
  };
  const openai = { provider: "openai" };

  it("is the same in a conversation and another in another one", async () => {
    const other = [say("user", "Hello", "msg_9")];

    expect(await keyOf(openai)).toMatch(/^[0-9a-f]{8}$/);
    expect(await keyOf(openai, [first])).toBe(await keyOf(openai));
    expect(await keyOf({ ...openai, api: "responses" })).toBe(await keyOf(openai));
    expect(await keyOf(openai, other)).not.toBe(await keyOf(openai));
  });

  it("is the definition's own where it has one, and is sent to OpenAI alone", async () => {
    const own = { ...openai, parameters: { prompt_cache_key: "shop" } };

    expect(await keyOf(own)).toBe("shop");
    expect(await keyOf({ ...openai, base_url: "https://models.example/v1" })).toBeUndefined();
    expect(await keyOf({ provider: "anthropic" })).toBeUndefined();
  });
});

describe("the limit of output tokens that Anthropic requires", () => {
  const limitOf = async (definition: object, options?: ModelRequest["options"]) => {
    const model = { provider: "anthropic", ...definition };
    const body = await bodyOf(model, { ...PLAIN, ...(options && { options }) });
    return (JSON.parse(body) as Record<string, unknown>)["max_tokens"];
  };

  it.each([
    ["what the vendor says", { name: "claude-opus-5" }, 128_000],
    ["a quarter of a small window", { name: "claude-haiku-4-5-20251001" }, 50_000],
    [
      "a quarter of the definition's window",
      { name: "claude-opus-5", context_size: 20_000 },
      5_000,
    ],
    ["8,192 for an unknown model", { name: "claude-x" }, 8_192],
    [
      "8,192 where another serves the model",
      { name: "claude-opus-5", base_url: "https://models.example" },
      8_192,
    ],
    ["the definition's", { name: "claude-opus-5", parameters: { max_tokens: 99 } }, 99],
  ])("is %s", async (_case, definition, expected) => {
    expect(await limitOf(definition)).toBe(expected);
  });

  it("is the reply's before all", async () => {
    const definition = { name: "claude-opus-5", parameters: { max_tokens: 99 } };

    expect(await limitOf(definition, { parameters: { max_tokens: 7 } })).toBe(7);
  });
});
