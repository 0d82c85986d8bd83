// MiniMax.
import {
  atHosts,
  IMAGES_AND_VIDEO,
  price,
  rowsOf,
  TEXT,
  upTo,
  type ModelPreset,
} from "../preset.ts";

const row = rowsOf("minimax", ["api.minimax.io"]);

const EVERYWHERE: readonly ModelPreset[] = [
  row(["MiniMax-M3"], 1_000_000, 128_000, IMAGES_AND_VIDEO, [
    upTo(512_000, price(0.3, 1.2, 0.06)),
    price(0.6, 2.4, 0.12),
  ]),
  row(["MiniMax-M2.7"], 204_800, 131_072, TEXT, [price(0.3, 1.2, 0.06, 0.375)]),
  row(["MiniMax-M2.7-highspeed"], 204_800, 131_072, TEXT, [price(0.6, 2.4, 0.06, 0.375)]),
  row(["MiniMax-M2.5"], 204_800, 131_072, TEXT, [price(0.3, 1.2, 0.03, 0.375)]),
  row(["MiniMax-M2.5-highspeed"], 204_800, 131_072, TEXT, [price(0.6, 2.4, 0.06, 0.375)]),
  row(["MiniMax-M2.1"], 204_800, 131_072, TEXT, [price(0.3, 1.2)]),
  row(["MiniMax-M2"], 196_608, 128_000, TEXT, [price(0.3, 1.2)]),
];

export const MINIMAX: readonly ModelPreset[] = [
  ...EVERYWHERE,
  ...atHosts(["api.minimaxi.com"], EVERYWHERE),
];
