// Presets of models, as their vendors describe them. Nothing here is from memory: each entry has the address of the page that
// it was taken from, and the day of the copy that was read. What the page does not say is null.
import type { ModelPreset } from "./preset.ts";
import { ANTHROPIC } from "./vendors/anthropic.ts";
import { DEEPSEEK } from "./vendors/deepseek.ts";
import { GEMINI } from "./vendors/gemini.ts";
import { GLM } from "./vendors/glm.ts";
import { GROK } from "./vendors/grok.ts";
import { GROQ } from "./vendors/groq.ts";
import { MINIMAX } from "./vendors/minimax.ts";
import { MISTRAL } from "./vendors/mistral.ts";
import { MOONSHOT } from "./vendors/moonshot.ts";
import { OPENAI } from "./vendors/openai.ts";
import { QWEN } from "./vendors/qwen.ts";

export const MODEL_PRESETS: readonly ModelPreset[] = [
  ...OPENAI,
  ...ANTHROPIC,
  ...DEEPSEEK,
  ...QWEN,
  ...GEMINI,
  ...MOONSHOT,
  ...GLM,
  ...MINIMAX,
  ...GROK,
  ...MISTRAL,
  ...GROQ,
];
