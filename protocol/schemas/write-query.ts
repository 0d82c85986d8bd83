// The query of requests that write rules, hooks or tools. Strict, so that a misspelled parameter writes nothing.
import * as z from "zod";

const flag = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .default(false);

export const StrictQuerySchema = z.strictObject({
  /** `true` refuses what would have `warnings` in its answer. */
  strict: flag,
});

/** Of a write that can be checked alone. */
export const WriteQuerySchema = z.strictObject({
  /** `true` checks the request as it would be checked, and writes nothing. */
  validate_only: flag,
  strict: flag,
});
