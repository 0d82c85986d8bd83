// Open models that Groq serves.
import { IMAGES, price, rowsOf, TEXT, type ModelPreset } from "../preset.ts";

const row = rowsOf("groq", ["api.groq.com"]);

export const GROQ: readonly ModelPreset[] = [
  row(["llama-3.3-70b-versatile"], 131_072, 32_768, TEXT, [price(0.59, 0.79)]),
  row(["llama-3.1-8b-instant"], 131_072, 131_072, TEXT, [price(0.05, 0.08)]),
  row(["meta-llama/llama-4-scout-17b-16e-instruct"], 131_072, 8_192, IMAGES, [price(0.11, 0.34)]),
  row(["openai/gpt-oss-120b"], 131_072, 65_536, TEXT, [price(0.15, 0.6, 0.075)]),
  row(["openai/gpt-oss-20b"], 131_072, 65_536, TEXT, [price(0.075, 0.3, 0.0375)]),
  row(["qwen/qwen3-32b"], 131_072, 40_960, TEXT, [price(0.29, 0.59)]),
];
