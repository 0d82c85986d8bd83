// The price of a call by the vendor's list; null wherever a part is not known.
import { describe, expect, it } from "vitest";

import { costOfCall } from "../../../../model/presets/cost-of-call.ts";
import { KNOWN_MODELS } from "../../../../model/presets/known-models.ts";
import { MODEL_PRESETS } from "../../../../model/presets/model-presets.ts";
import { KnownModelSchema } from "../../../../protocol/models/known-models.ts";
import { ModelDefinitionSchema } from "../../../../protocol/models/contract.ts";

const use = (input_tokens: number, output_tokens: number, cached = 0, written = 0) => ({
  input_tokens,
  output_tokens,
  cache_input_tokens: cached,
  cache_creation_input_tokens: written,
});
const costAt = (model: object, usage: ReturnType<typeof use>) =>
  costOfCall(ModelDefinitionSchema.parse(model))?.(usage) ?? null;
const luna = { provider: "openai", name: "gpt-5.6-luna" };
const opus = { provider: "anthropic", name: "claude-opus-5" };

describe("the cost of a call", () => {
  it.each([
    ["of input and output", opus, use(1_000_000, 1_000_000), 30],
    ["with what was cached and written at their prices", opus, use(1_000, 100, 600, 300), 0.005175],
    ["of a single token each way", luna, use(1, 1), 0.0000014],
    ["at the end of a tier", luna, use(272_000, 1), 0.0544012],
    ["of the next tier, for all of its input", luna, use(272_001, 1), 0.1088022],
  ] as const)("%s is told", (_case, model, usage, expected) => {
    expect(costAt(model, usage)).toBe(expected);
  });

  it.each([
    ["of a tier that has none for cached input", luna, use(300_000, 1, 10)],
    [
      "of a model that has none for writing",
      { ...opus, name: "claude-haiku-4-5-20251001" },
      use(9, 1, 0, 3),
    ],
    ["of a cache that is kept longer", { ...opus, parameters: { cache_control: {} } }, use(1, 1)],
    ["of a model without prices", { ...luna, name: "gpt-5.6-sol" }, use(1, 1)],
    ["of a model that is not known", { ...luna, name: "gpt-x" }, use(1, 1)],
    ["of another's endpoint", { ...luna, base_url: "https://models.example/v1" }, use(1, 1)],
    ["of another tier of service", { ...luna, parameters: { service_tier: "flex" } }, use(1, 1)],
    ["of another place", { ...opus, parameters: { inference_geo: "us" } }, use(1, 1)],
    ["of counts that contradict each other", opus, use(5, 1, 4, 4)],
    ["of a call that said nothing of its use", opus, use(0, 0)],
    ["of a call that said nothing of its output", opus, use(5, 0)],
  ])("%s is not known", (_case, model, usage) => {
    expect(costAt(model, usage)).toBeNull();
  });

  it("of the embedded model is nothing", () => {
    expect(costAt({ provider: "scripted" }, use(1_000, 1_000))).toBe(0);
    expect(costAt({ provider: "scripted" }, use(0, 0))).toBe(0);
  });
});

describe("the known models", () => {
  it("are all presets under all of their names, without members of their own", () => {
    const names = MODEL_PRESETS.flatMap((preset) => preset.names);

    expect(KNOWN_MODELS.map(({ name }) => name)).toEqual(names);
    for (const model of KNOWN_MODELS) expect(KnownModelSchema.strict().parse(model)).toEqual(model);
  });
});
