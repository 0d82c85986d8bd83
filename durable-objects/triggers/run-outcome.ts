// The outcome of a run, as its reply or the discussion of its message says it.
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { RunError } from "../../protocol/triggers/contract.ts";
import type { TriggeredDiscussion } from "../api/triggered-room-api.ts";

export type RunOutcome =
  | { readonly type: "running" | "waiting" }
  | { readonly type: "over"; readonly error: RunError | null };

/** A run that has begun. */
export interface BegunRun {
  /** Null in a room, where each turn has one of its own. */
  readonly reply_id: string | null;
  readonly outcome: RunOutcome;
}

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

/**
 * The state of a run as the discussion of its message has it. A bound of rounds or tokens is an end as good as any, since no turn
 * is cut off; a discussion in which every turn has failed is none.
 */
export function outcomeOfDiscussion({ message, is_waiting }: TriggeredDiscussion): RunOutcome {
  const { end, is_answered, error } = message;
  switch (end) {
    case null:
      return { type: is_waiting ? "waiting" : "running" };
    case "completed":
    case "max_rounds":
    case "max_tokens":
      return is_answered ? { type: "over", error: null } : unanswered(error);
    case "timeout":
      return failed("discussion_timeout", "The time of the discussion was over.");
    case "interrupted":
      return failed("reply_interrupted", "The discussion was interrupted.");
    case "moderator_failed":
      return failed("reply_failed", "The moderator has failed, or named nobody who is there.");
    default:
      return end satisfies never;
  }
}

function unanswered(error: ErrorInfo | null): RunOutcome {
  if (!error) return failed("reply_failed", "Nobody in the room has had a turn that ended.");
  const type = error.type === "quota_exceeded" ? "quota_exceeded" : "reply_failed";
  return failed(type, error.message);
}

function failed(type: RunError["type"], message: string): RunOutcome {
  return { type: "over", error: { type, message } };
}
