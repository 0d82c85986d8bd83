// The price of a call by the vendor's list. Null wherever a part of it is not known: it is never a guess.
import type { ModelDefinition } from "../../protocol/models/contract.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { findPreset } from "./find-preset.ts";
import type { ModelPrice } from "../../protocol/models/known-models.ts";

/** US dollars of a call that was answered, to a billionth; null when it is not known. */
export type CostOfCall = (usage: Usage) => number | null;

/** Parameters with which a vendor's prices are others than those of the list. */
const PRICED_PARAMETERS = [
  "service_tier",
  "inference_geo",
  "speed",
  "cache_control",
  "prompt_cache_options",
  "prompt_cache_retention",
  "tools",
  "container",
];
const TOKENS_OF_A_PRICE = 1_000_000;

/** Null for a model without known prices. The embedded model costs nothing. */
export function costOfCall(definition: ModelDefinition): CostOfCall | null {
  if (definition.provider === "scripted") return () => 0;
  if (definition.provider === "a2a") return null;
  const prices = findPreset(definition)?.prices;
  const { parameters } = definition;
  if (!prices || PRICED_PARAMETERS.some((name) => Object.hasOwn(parameters, name))) return null;
  return (usage) => {
    // A call that was answered has read and written something: the vendor has not said it, or not so that it is believed.
    if (usage.input_tokens === 0 || usage.output_tokens === 0) return null;
    const price = prices.find(
      ({ up_to_input_tokens }) =>
        up_to_input_tokens === null || usage.input_tokens <= up_to_input_tokens,
    );
    return price ? costAt(price, usage) : null;
  };
}

function costAt(
  { input, output, cached_input, cache_write }: ModelPrice,
  { input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens }: Usage,
): number | null {
  const fresh = input_tokens - cache_input_tokens - cache_creation_input_tokens;
  // Counts that contradict each other.
  if (fresh < 0) return null;
  const parts = [
    costOf(fresh, input),
    costOf(output_tokens, output),
    costOf(cache_input_tokens, cached_input),
    costOf(cache_creation_input_tokens, cache_write),
  ];
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length) return null;
  return Math.round(known.reduce((sum, part) => sum + part, 0)) / NANODOLLARS;
}

/** Billionths of a dollar. */
function costOf(tokens: number, price: number | null): number | null {
  if (tokens === 0) return 0;
  return price === null ? null : (tokens * price * NANODOLLARS) / TOKENS_OF_A_PRICE;
}
