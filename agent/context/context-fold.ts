// The beginning of a session's context, in place of its older messages: a fold of the log.
import {
  CONTEXT_COMPRESSED,
  CONTEXT_TRUNCATED,
  type ContextCompressedValue,
  type ContextTruncatedValue,
} from "../../protocol/context/events.ts";
import type { AbilityFold } from "../ability.ts";

/** The text in place of the messages before the boundary. */
interface ContextSummary {
  readonly id: string;
  /** As the model is sent it. */
  readonly text: string;
  readonly created_at: string;
}

/** Everything up to and including a block is not sent to models any more. */
interface ContextBoundary {
  readonly message_id: string;
  /** Null for the whole message. Of a tool call and its result, which have the same id, it means the result. */
  readonly block_id: string | null;
}

export interface ContextState {
  readonly summary: ContextSummary | null;
  /** Null before the first compression, and for an imported summary of messages that the session never had. */
  readonly boundary: ContextBoundary | null;
  /** Whether messages have left the context since the summary, or without one. */
  readonly is_truncated: boolean;
  /** The user's words before what is left, where they have left the context and the reply to them has not wholly. */
  readonly request: string | null;
}

/** The name of the ability, and of its snapshots. */
export const CONTEXT_ABILITY = "context";

/** A fork keeps it. An import makes its own: a state from outside names messages that are not there. */
export const CONTEXT_FOLD: AbilityFold<ContextState> = {
  name: CONTEXT_ABILITY,
  initial: { summary: null, boundary: null, is_truncated: false, request: null },
  reads: ["CUSTOM"],
  advance(before, event) {
    if (event.type !== "CUSTOM") return before;
    if (event.name === CONTEXT_COMPRESSED) {
      const value = event.value as unknown as ContextCompressedValue;
      const { summary_id: id, summary: text, last_message_id, last_block_id, request } = value;
      return {
        summary: { id, text, created_at: event.created_at },
        boundary: { message_id: last_message_id, block_id: last_block_id },
        is_truncated: false,
        request: request ?? null,
      };
    }
    if (event.name !== CONTEXT_TRUNCATED) return before;
    const value = event.value as unknown as ContextTruncatedValue;
    const { last_message_id, last_block_id, request } = value;
    return {
      ...before,
      boundary: { message_id: last_message_id, block_id: last_block_id },
      is_truncated: true,
      request: request ?? null,
    };
  },
};
