import type { KnownModel } from "../../protocol/api/known-models.ts";
import { MODEL_PRESETS } from "./model-presets.ts";

/** What vendors' models are shown by all wires, unless the model cannot take it. */
const MEDIA_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp", "application/pdf"];

/** All models with a preset, one entry a name, in the order of the presets. */
export const KNOWN_MODELS: readonly KnownModel[] = MODEL_PRESETS.flatMap(
  ({ names, refuses, prices, read: read_on, provider, context_size, max_output_tokens, source }) =>
    names.map((name) => ({
      provider,
      name,
      context_size,
      max_output_tokens,
      media_types: MEDIA_TYPES.filter(
        (type) => !refuses.some((kind) => type.startsWith(`${kind}/`)),
      ),
      prices: prices && prices.map((price) => ({ ...price })),
      source,
      read_on,
    })),
);
