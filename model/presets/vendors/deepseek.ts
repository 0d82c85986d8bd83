// DeepSeek, whose prices depend on the hour.
import { rowsOf, TEXT, type ModelPreset } from "../preset.ts";

const row = rowsOf("deepseek", ["api.deepseek.com"]);

export const DEEPSEEK: readonly ModelPreset[] = [
  row(["deepseek-v4-flash"], 1_000_000, 384_000, TEXT, null),
  row(["deepseek-v4-pro"], 1_000_000, 384_000, TEXT, null),
  row(["deepseek-chat"], 1_000_000, 384_000, TEXT, null),
  row(["deepseek-reasoner"], 1_000_000, 384_000, TEXT, null),
];
