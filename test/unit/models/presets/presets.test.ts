// Presets of well-known models, and media that these models cannot take.
import { describe, expect, it } from "vitest";

import { createModel } from "../../../../model/create-model.ts";
import { contextSizeOf, findPreset } from "../../../../model/presets/find-preset.ts";
import { MODEL_PRESETS } from "../../../../model/presets/model-presets.ts";
import { ModelDefinitionSchema } from "../../../../protocol/models/contract.ts";
import { MsgSchema } from "../../../../protocol/messages/messages.ts";
import { collect } from "../../../support/collect.ts";

const define = (model: object) => ModelDefinitionSchema.parse(model);

describe("the presets", () => {
  it("name each model once, with a page of its vendor and a day", () => {
    const names = MODEL_PRESETS.flatMap(({ names: own }) => own);

    expect(new Set(names).size).toBe(names.length);
    for (const { provider, source, read, prices, context_size } of MODEL_PRESETS) {
      const host = provider === "openai" ? "developers.openai.com" : "platform.claude.com";
      expect(new URL(source).host).toBe(host);
      expect(read).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(context_size).toBeGreaterThan(100_000);
      // The last price has no upper end, the others rise.
      expect(prices?.at(-1)?.up_to_input_tokens ?? null).toBeNull();
    }
  });

  it("say the window of a model that its vendor serves, unless the definition does", () => {
    const luna = { provider: "openai", name: "gpt-5.6-luna" };

    expect(contextSizeOf(define(luna))).toBe(1_050_000);
    expect(contextSizeOf(define({ ...luna, context_size: 1_000 }))).toBe(1_000);
    expect(contextSizeOf(define({ ...luna, base_url: "https://models.example/v1" }))).toBeNull();
    expect(contextSizeOf(define({ provider: "anthropic", name: "claude-opus-5" }))).toBe(1_000_000);
    expect(contextSizeOf(define({ provider: "anthropic", name: "gpt-5.6-luna" }))).toBeNull();
    expect(findPreset(define({ provider: "scripted" }))).toBeNull();
  });
});

describe("media that a model cannot take", () => {
  it("are notes, in messages and in results", async () => {
    const bodies: string[] = [];
    const definition = define({ provider: "openai", name: "gpt-5.6-luna" });
    const model = createModel(definition, {
      outgoing: async (_input, init) => {
        bodies.push(typeof init?.body === "string" ? init.body : "");
        return new Response("data: [DONE]\n\n", {
          headers: { "content-type": "text/event-stream" },
        });
      },
      secrets: () => ({ ok: true, secret: "sk" }),
      decideTurn: () => ({ parts: [] }),
    });
    const source = (media_type: string, data: string) => ({ type: "base64", media_type, data });
    const sound = { type: "data", name: "song", source: source("audio/wav", "c291bmQ=") };
    const picture = { type: "data", source: source("image/png", "aW1n") };
    const messages = [
      { name: "u", role: "user", content: [sound, picture] },
      {
        name: "a",
        role: "assistant",
        content: [
          { type: "tool_call", id: "c1", name: "t", input: "{}" },
          { type: "tool_result", id: "c1", name: "t", output: [sound], state: "success" },
        ],
      },
    ].map((message) => MsgSchema.parse(message));

    await collect(
      model.stream({ system_prompt: "", messages, tools: [] }, new AbortController().signal),
    );

    expect(bodies[0]).not.toContain("c291bmQ=");
    expect(bodies[0]?.match(/data of type audio\/wav/g)).toHaveLength(2);
    expect(bodies[0]).toContain("data:image/png;base64,aW1n");
  });
});
