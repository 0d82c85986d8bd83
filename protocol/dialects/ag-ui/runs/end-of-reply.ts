import type { EventOf } from "../../../events.ts";
import type { AgUiOutcome } from "../wire/events.ts";

/** The outcome of a reply's last run: success, cancellation or an error. */
export function endOfReply({
  finished_reason,
  error,
}: EventOf<"REPLY_END">): AgUiOutcome | { readonly code: string; readonly message: string } {
  switch (finished_reason) {
    case "completed":
      return { type: "success" };
    case "interrupted":
      return { type: "cancelled" };
    case "exceed_max_iters":
      return { code: finished_reason, message: "The reply reached its limit of rounds." };
    case "error":
      return { code: error?.type ?? "unknown", message: error?.message ?? "The reply failed." };
    default:
      return finished_reason satisfies never;
  }
}
