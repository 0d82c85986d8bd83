// Grok by xAI.
import { IMAGES, price, rowsOf, upTo, type ModelPreset } from "../preset.ts";

const row = rowsOf("xai", ["api.x.ai"]);

export const GROK: readonly ModelPreset[] = [
  row(["grok-4.3"], 1_000_000, 30_000, IMAGES, [
    upTo(200_000, price(1.25, 2.5, 0.2)),
    price(2.5, 5, 0.4),
  ]),
  row(["grok-4.20-0309-reasoning"], 1_000_000, 30_000, IMAGES, [
    upTo(200_000, price(1.25, 2.5, 0.2)),
    price(2.5, 5, 0.4),
  ]),
  row(["grok-4.20-0309-non-reasoning"], 1_000_000, 30_000, IMAGES, [
    upTo(200_000, price(1.25, 2.5, 0.2)),
    price(2.5, 5, 0.4),
  ]),
  row(["grok-build-0.1"], 256_000, 256_000, IMAGES, [
    upTo(200_000, price(1, 2, 0.2)),
    price(2, 4, 0.4),
  ]),
];
