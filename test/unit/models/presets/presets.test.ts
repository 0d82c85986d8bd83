// Presets of well-known models, and media that these models cannot take.
import { describe, expect, it } from "vitest";

import { createModel } from "../../../../model/create-model.ts";
import { contextSizeOf, findPreset } from "../../../../model/presets/find-preset.ts";
import { MODEL_PRESETS } from "../../../../model/presets/model-presets.ts";
import { ModelDefinitionSchema } from "../../../../protocol/models/contract.ts";
import { MsgSchema } from "../../../../protocol/messages/messages.ts";
import { describePresetAge } from "../../../../scripts/preset-age.ts";
import { collect } from "../../../support/collect.ts";

const define = (model: object) => ModelDefinitionSchema.parse(model);

/** Hosts of pages that say what is in the presets. */
const PAGES = ["developers.openai.com", "platform.claude.com", "github.com"];
const at = (host: string, name: string, path = "/v1") =>
  findPreset(define({ provider: "openai", name, base_url: `https://${host}${path}` }));

describe("the presets", () => {
  it("name each model of a host once", () => {
    const keys = MODEL_PRESETS.flatMap(({ hosts, names }) =>
      hosts.flatMap((host) => names.map((name) => `${host} ${name}`)),
    );

    expect(keys.length - new Set(keys).size).toBe(0);
    expect(keys.filter((key) => key !== key.trim() || /:|\/\s|\.\s/.test(key))).toEqual([]);
  });

  it.each(MODEL_PRESETS.map((preset) => [preset.names[0], preset.hosts[0], preset] as const))(
    "have a page, a day and numbers that can be for %s at %s",
    (_name, _host, preset) => {
      const { source, prices_source = source, read, prices, context_size } = preset;

      for (const page of [source, prices_source]) {
        const { protocol, host } = new URL(page);
        expect([protocol, PAGES.includes(host)]).toEqual(["https:", true]);
      }
      expect(read).toMatch(/^2026-\d{2}-\d{2}$/);
      expect(new Date(read).toISOString().slice(0, 10)).toBe(read);
      expect(context_size).toBeGreaterThanOrEqual(8_192);
      expect(preset.max_output_tokens).toBeGreaterThanOrEqual(2_048);
      expect(preset.max_output_tokens).toBeLessThanOrEqual(context_size);
      // The last price has no upper end, the others rise; reading a cache is no dearer than input, output no cheaper.
      const ends = prices?.map(({ up_to_input_tokens: end }) => end ?? Infinity) ?? [Infinity];
      expect(ends).toEqual([...new Set(ends)].toSorted((one, other) => one - other));
      expect(ends.at(-1)).toBe(Infinity);
      for (const { input, output, cached_input } of prices ?? []) {
        expect(output).toBeGreaterThanOrEqual(input);
        expect(cached_input ?? 0).toBeLessThanOrEqual(input);
        expect(output).toBeLessThanOrEqual(600);
      }
    },
  );

  it("have the models that people and the documents name", () => {
    const sizes = [
      at("api.openai.com", "gpt-5"),
      at("api.openai.com", "gpt-4.1-mini"),
      at("api.openai.com", "gpt-4o"),
      at("dashscope-intl.aliyuncs.com", "qwen-max", "/compatible-mode/v1"),
      at("dashscope.aliyuncs.com", "qwen-max", "/compatible-mode/v1"),
      at("api.deepseek.com", "deepseek-chat", ""),
      at("generativelanguage.googleapis.com", "gemini-2.5-pro", "/v1beta/openai"),
      findPreset(define({ provider: "anthropic", name: "claude-sonnet-5" })),
      findPreset(define({ provider: "anthropic", name: "claude-sonnet-4-5" })),
    ].map((preset) => preset?.context_size);

    expect(sizes).toEqual([
      400_000, 1_047_576, 128_000, 32_768, 131_072, 1_000_000, 1_048_576, 1_000_000, 200_000,
    ]);
  });

  it.each([
    ["another vendor's host", "https://api.openai.com/v1", "qwen-max"],
    ["a host that goes on behind the vendor's", "https://api.openai.com.evil.example/v1", "gpt-5"],
    ["a host that ends with the vendor's", "https://evil-api.openai.com/v1", "gpt-5"],
    ["a host below the vendor's", "https://eu.api.openai.com/v1", "gpt-5"],
    ["a trailing dot", "https://api.openai.com./v1", "gpt-5"],
    ["another port", "https://api.openai.com:8443/v1", "gpt-5"],
    ["no encryption", "http://api.openai.com/v1", "gpt-5"],
    ["the vendor's host as a user", "https://api.openai.com@models.example/v1", "gpt-5"],
    ["the vendor's host in a path", "https://models.example/api.openai.com/v1", "gpt-5"],
    ["another name", "https://api.openai.com/v1", "gpt-5-unknown"],
    ["letters of another case in a name", "https://api.openai.com/v1", "GPT-5"],
    ["no name before the day", "https://api.openai.com/v1", "-2025-08-07"],
    ["a day at another vendor's", "https://dashscope.aliyuncs.com/v1", "qwen-plus-2025-07-28"],
  ])("do not speak of %s", (_case, base_url, name) => {
    // As an object that the schema of agents would refuse, where it would.
    expect(findPreset({ provider: "openai", name, base_url, parameters: {} })).toBeNull();
  });

  it("speak of the vendor's host in any case of its letters, and with its port", () => {
    const sizes = ["API.OpenAI.com", "api.openai.com:443"].map((host) => at(host, "gpt-5"));

    expect(sizes.map((preset) => preset?.context_size)).toEqual([400_000, 400_000]);
  });

  it("have no prices for snapshots without a row, for subscriptions, and for hosts with other lists", () => {
    const presets = [
      at("api.openai.com", "gpt-5-2025-08-07"),
      at("api.z.ai", "glm-5", "/api/coding/paas/v4"),
      at("open.bigmodel.cn", "glm-5", "/api/paas/v4"),
    ];

    expect(presets.map((preset) => [preset?.context_size, preset?.prices])).toEqual([
      [400_000, null],
      [204_800, null],
      [204_800, null],
    ]);
    expect(at("api.openai.com", "gpt-4o-2024-05-13")?.prices?.[0]?.input).toBe(5);
    expect(at("api.z.ai", "glm-5", "/api/paas/v4")?.prices?.[0]?.input).toBe(1);
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

describe("the age of the presets", () => {
  it("is told with the oldest day, the newest, and how many are old", () => {
    const presets = ["2026-07-01", "2026-12-01", "2026-09-02"].map((read) => ({ read }));

    expect(describePresetAge(presets, Date.parse("2026-12-01"))).toBe(
      "3 presets, read from 2026-07-01 to 2026-12-01, 1 over 90 days ago",
    );
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
