// Kimi by Moonshot AI.
import { atHosts, IMAGES_AND_VIDEO, price, rowsOf, TEXT, type ModelPreset } from "../preset.ts";

const row = rowsOf("moonshotai", ["api.moonshot.ai"]);

const EVERYWHERE: readonly ModelPreset[] = [
  row(["kimi-k2.7-code"], 262_144, 262_144, IMAGES_AND_VIDEO, [price(0.95, 4, 0.19)]),
  row(["kimi-k2.7-code-highspeed"], 262_144, 262_144, IMAGES_AND_VIDEO, [price(1.9, 8, 0.38)]),
  row(["kimi-k2.6"], 262_144, 262_144, IMAGES_AND_VIDEO, [price(0.95, 4, 0.16)]),
  row(["kimi-k2.5"], 262_144, 262_144, IMAGES_AND_VIDEO, [price(0.6, 3, 0.1)]),
  row(["kimi-k2-thinking"], 262_144, 262_144, TEXT, [price(0.6, 2.5, 0.15)]),
  row(["kimi-k2-thinking-turbo"], 262_144, 262_144, TEXT, [price(1.15, 8, 0.15)]),
  row(["kimi-k2-turbo-preview"], 262_144, 262_144, TEXT, [price(2.4, 10, 0.6)]),
  row(["kimi-k2-0905-preview"], 262_144, 262_144, TEXT, [price(0.6, 2.5, 0.15)]),
  row(["kimi-k2-0711-preview"], 131_072, 16_384, TEXT, [price(0.6, 2.5, 0.15)]),
];

export const MOONSHOT: readonly ModelPreset[] = [
  ...EVERYWHERE,
  ...atHosts(["api.moonshot.cn"], EVERYWHERE),
];
