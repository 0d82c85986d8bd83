import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { RunError } from "../../protocol/triggers/contract.ts";

export type RunOutcome =
  | { readonly type: "running" | "waiting" }
  | { readonly type: "over"; readonly error: RunError | null };

/** The state of a run as its reply has it. */
export function outcomeOf(status: ReplyStatus, error: ErrorInfo | null): RunOutcome {
  switch (status) {
    case "running":
      return { type: "running" };
    case "awaiting_permission":
    case "awaiting_external_result":
      return { type: "waiting" };
    case "completed":
      return { type: "over", error: null };
    case "interrupted":
      return failed("reply_interrupted", "The reply was interrupted.");
    case "exceed_max_iters":
      return failed("exceed_max_iters", "The reply has used up its rounds before it had ended.");
    case "error":
      return failed("reply_failed", error?.message ?? "The reply has failed.");
    default:
      return status satisfies never;
  }
}

function failed(type: RunError["type"], message: string): RunOutcome {
  return { type: "over", error: { type, message } };
}
