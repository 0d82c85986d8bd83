// The price of a summary: the sum of its calls, by the prices of the model that writes it.
import { describe, expect, it } from "vitest";

import { compressContext } from "../../../agent/context/compress-context.ts";
import type { ModelChunk } from "../../../agent/ports.ts";
import { MAX_SUMMARY_ANSWER_CHARACTERS } from "../../../protocol/context/limits.ts";
import { addUsage } from "../../../protocol/fold/add-usage.ts";
import {
  called,
  contextOf,
  FIELDS,
  modelOf,
  requestOf,
  said,
  USAGE,
} from "../../support/compression.ts";

function priced(answer: (call: number) => readonly ModelChunk[]) {
  // Dearer for more than a hundred tokens, as some vendors' prices are.
  return {
    ...modelOf((_, call) => answer(call)),
    costOf: (usage: typeof USAGE) => (usage.input_tokens > 100 ? 5 : 2),
  };
}

describe("the cost of a summary", () => {
  it("is that of each of its calls", async () => {
    const model = priced((call) => (call === 1 ? said("no") : called(FIELDS)));
    const outcome = await compressContext(requestOf(), contextOf(model, { model_window: 8_000 }));

    expect(outcome).toMatchObject({
      cost_usd: 4,
      value: { usage: addUsage(USAGE, USAGE) },
    });
  });

  it("is known of one that failed, too", async () => {
    const outcome = await compressContext(requestOf(), contextOf(priced(() => said("no"))));

    expect(outcome).toMatchObject({ type: "failed", cost_usd: 2 * callsOf(outcome) });
  });

  it.each([
    ["whose provider has not counted", [{ text: JSON.stringify(FIELDS) }]],
    ["that is too long", [{ text: "x".repeat(MAX_SUMMARY_ANSWER_CHARACTERS) }]],
  ])("is not known of an answer %s, which is counted by an estimate", async (_, chunks) => {
    const outcome = await compressContext(requestOf(), contextOf(priced(() => chunks)));

    const usage = { input_tokens: expect.any(Number) as number };
    expect(outcome).toMatchObject({
      cost_usd: null,
      ...(outcome.type === "failed" ? { truncation: { usage } } : { value: { usage } }),
    });
  });

  it("is not known of a model without prices", async () => {
    const outcome = await compressContext(
      requestOf(),
      contextOf(modelOf(() => said(JSON.stringify(FIELDS)))),
    );

    expect(outcome).toMatchObject({ type: "compressed", cost_usd: null });
  });
});

/** Calls of the model, by the usage of the outcome. */
function callsOf(outcome: Awaited<ReturnType<typeof compressContext>>): number {
  if (outcome.type !== "failed") throw new Error(outcome.type);
  return (outcome.truncation.usage?.output_tokens ?? 0) / USAGE.output_tokens;
}
