import type { KnownModel } from "../../protocol/models/known-models.ts";
import { MODEL_PRESETS } from "./model-presets.ts";

/** Media that all wires show to vendors' models, unless the model cannot take it. */
const MEDIA_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp", "application/pdf"];

/** All models with a preset, one entry a name, in the order of the presets. */
export const KNOWN_MODELS: readonly KnownModel[] = MODEL_PRESETS.flatMap(
  ({ names, refuses, prices, prices_source, read: read_on, ...preset }) =>
    names.map((name) => ({
      provider: preset.provider,
      name,
      hosts: [...preset.hosts],
      context_size: preset.context_size,
      max_output_tokens: preset.max_output_tokens,
      media_types: MEDIA_TYPES.filter(
        (type) => !refuses.some((kind) => type.startsWith(`${kind}/`)),
      ),
      prices: prices && prices.map((price) => ({ ...price })),
      source: preset.source,
      prices_source: prices && (prices_source ?? preset.source),
      read_on,
    })),
);
