// The usage of a task as the agent of another system tells it, which nobody checks.
import * as z from "zod";

export const ToldUsageSchema = z.object({
  input_tokens: z.number().int().nonnegative(),
  output_tokens: z.number().int().nonnegative(),
  /** US dollars; null where the agent says nothing of them. */
  cost_usd: z.number().nonnegative().nullable(),
});
export interface ToldUsage extends Readonly<z.infer<typeof ToldUsageSchema>> {}

/** The member of a `MODEL_CALL_END`'s metadata that says that its counts are what an agent of another system has told. */
export const USAGE_TOLD = "usage_told";
