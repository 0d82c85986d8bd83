// What one reply may set about its model calls.
import { z } from "zod";

import { MAX_CALL_TOKENS, MAX_STOP_TEXTS } from "../limits/models.ts";

/** From none to as much as the model can. A provider that knows fewer steps gets the nearest one. */
export const ReasoningEffortSchema = z.enum([
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
]);
export type ReasoningEffort = z.infer<typeof ReasoningEffortSchema>;

/** By one name for all providers; each gets those that it knows, under its own name. */
export const ModelParametersSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  /** Output tokens of one model call. */
  max_tokens: z.number().int().min(1).max(MAX_CALL_TOKENS).optional(),
  /** Texts at which the model stops. */
  stop: z.array(z.string().min(1).max(256)).min(1).max(MAX_STOP_TEXTS).readonly().optional(),
  seed: z.number().int().optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
});
export type ModelParameters = z.infer<typeof ModelParametersSchema>;
