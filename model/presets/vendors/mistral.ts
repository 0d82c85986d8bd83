// Mistral. A name that ends in -latest moves to other models, so it has no price.
import { IMAGES, price, rowsOf, TEXT, type ModelPreset } from "../preset.ts";

const row = rowsOf("mistral", ["api.mistral.ai"]);

export const MISTRAL: readonly ModelPreset[] = [
  row(["mistral-large-latest"], 262_144, 262_144, IMAGES, null),
  row(["mistral-large-2512"], 262_144, 262_144, IMAGES, [price(0.5, 1.5)]),
  row(["mistral-large-2411"], 131_072, 16_384, TEXT, [price(2, 6)]),
  row(["mistral-medium-latest"], 262_144, 262_144, IMAGES, null),
  row(["mistral-medium-2604"], 262_144, 262_144, IMAGES, [price(1.5, 7.5)]),
  row(["mistral-medium-2508"], 262_144, 262_144, IMAGES, [price(0.4, 2)]),
  row(["mistral-medium-2505"], 131_072, 131_072, IMAGES, [price(0.4, 2)]),
  row(["mistral-small-latest"], 256_000, 256_000, IMAGES, null),
  row(["mistral-small-2603"], 256_000, 256_000, IMAGES, [price(0.15, 0.6)]),
  row(["mistral-small-2506"], 128_000, 16_384, IMAGES, [price(0.1, 0.3)]),
  row(["ministral-8b-latest"], 128_000, 128_000, TEXT, null),
  row(["ministral-3b-latest"], 128_000, 128_000, TEXT, null),
  row(["magistral-medium-latest"], 128_000, 16_384, TEXT, null),
  row(["magistral-small"], 128_000, 128_000, TEXT, [price(0.5, 1.5)]),
  row(["codestral-latest"], 256_000, 4_096, TEXT, null),
  row(["devstral-latest"], 262_144, 262_144, TEXT, null),
  row(["devstral-2512"], 262_144, 262_144, TEXT, [price(0.4, 2)]),
  row(["devstral-medium-latest"], 262_144, 262_144, TEXT, null),
  row(["pixtral-large-latest"], 128_000, 128_000, IMAGES, null),
  row(["pixtral-12b"], 128_000, 128_000, IMAGES, [price(0.15, 0.15)]),
  row(["open-mistral-nemo"], 128_000, 128_000, TEXT, [price(0.15, 0.15)]),
];
