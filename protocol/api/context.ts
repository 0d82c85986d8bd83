// What a model is sent of a conversation: an agent's `context`.
import { z } from "zod";

import {
  MAX_CONTEXT_IMAGES,
  MAX_TOOL_RESULT_TOKENS,
  MIN_TOOL_RESULT_TOKENS,
} from "../limits/context.ts";

export const ContextSettingsSchema = z.strictObject({
  /** Tokens of one tool result that the model is sent, as estimated; 50,000 when left out. */
  tool_result_limit: z
    .number()
    .int()
    .min(MIN_TOOL_RESULT_TOKENS)
    .max(MAX_TOOL_RESULT_TOKENS)
    .optional(),
  /** Images that the model is sent, the newest ones; 5 when left out. */
  max_images: z.number().int().min(0).max(MAX_CONTEXT_IMAGES).optional(),
});
export type ContextSettings = z.infer<typeof ContextSettingsSchema>;
