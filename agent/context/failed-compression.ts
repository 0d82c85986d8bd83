import type { ContextCompressionFailedValue } from "../../protocol/context/events.ts";
import type { CompressionOutcome, CompressionRequest } from "./context-keeper.ts";

/**
 * The value of the event that says what a compression has used which has changed nothing; null when it has used nothing.
 * Of one that leaves messages out, that event says it.
 */
export function failedCompression(
  { trigger, reply_id }: Pick<CompressionRequest, "trigger" | "reply_id">,
  { reason, error, model, truncation: { usage } }: Extract<CompressionOutcome, { type: "failed" }>,
): ContextCompressionFailedValue | null {
  if (!usage) return null;
  return { trigger, reason, error, model, usage, ...(reply_id !== null && { reply_id }) };
}
