// Ends a reply from any state: closes what is open and gives every call a result, so that the next turn has a context
// that model providers accept.
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ErrorInfo, FinishedReason, Usage } from "../../protocol/messages/messages.ts";
import { withProgress } from "./progress-record.ts";
import type { ReplyState } from "./reply-state.ts";
import { resultMetadata } from "./result-metadata.ts";
import { isSummarizing } from "./round-summary.ts";

export interface ReplyClosing {
  readonly session_id: string;
  readonly finished_reason: FinishedReason;
  /** Only with `error`. */
  readonly error?: ErrorInfo;
  /** Of the `REPLY_END`. */
  readonly metadata?: Record<string, unknown>;
}

const UNFINISHED_CALL: Record<FinishedReason, string> = {
  completed: "The call was not made.",
  interrupted: "The reply was interrupted before this call was finished.",
  exceed_max_iters: "The reply reached its limit of rounds before this call was finished.",
  error: "The reply failed before this call was finished.",
};

/** A tool's request may have been sent: a model that believes it was not would repeat the call. */
const OUTCOME_UNKNOWN =
  "It had been started, so its outcome is unknown: find out before you call it again.";

/**
 * All remaining events, `REPLY_END` last, for one append. No error takes the place of an end that is certain already: a
 * reply that was interrupted ends so without its remark too, and one that has used its rounds without its summary.
 */
export function closeReply(state: ReplyState, given: ReplyClosing): EventDraft[] {
  const closing = settledClosing(state, given);
  const { name, id: reply_id } = state.message;
  const { session_id, finished_reason, error = null, metadata } = closing;
  return [
    ...closeOpenParts(state, finished_reason),
    ...(finished_reason === "exceed_max_iters"
      ? [{ type: "EXCEED_MAX_ITERS", reply_id, name } as const]
      : []),
    {
      type: "REPLY_END",
      session_id,
      reply_id,
      finished_reason,
      error,
      ...(metadata && { metadata }),
    },
  ];
}

/** The end that is certain already, if there is one; an error is then in the metadata. */
function settledClosing(state: ReplyState, closing: ReplyClosing): ReplyClosing {
  const { session_id, error, metadata } = closing;
  if (closing.finished_reason !== "error") return closing;
  if (state.is_interrupted) {
    const noted = { ...metadata, ...(error && { remark_error: error }) };
    return { session_id, finished_reason: "interrupted", metadata: noted };
  }
  if (!isSummarizing(state)) return closing;
  const noted = { ...metadata, ...(error && { summary_error: error }) };
  return { session_id, finished_reason: "exceed_max_iters", metadata: noted };
}

/** Ends an open model call, and gives every call without a result one that says why the reply went no further. */
export function closeOpenParts(state: ReplyState, finished_reason: FinishedReason): EventDraft[] {
  const { message } = state;
  const reply_id = message.id;
  const events: EventDraft[] = [];
  if (state.is_model_call_open) events.push(...endModelCall(state, null));
  const results = new Set(
    message.content.filter(({ type }) => type === "tool_result").map(({ id }) => id),
  );
  for (const block of message.content) {
    if (block.type !== "tool_call" || block.state === "finished") continue;
    const call = { reply_id, tool_call_id: block.id };
    const hasResult = results.has(block.id);
    if (!hasResult) {
      events.push({ type: "TOOL_RESULT_START", ...call, tool_call_name: block.name });
    }
    const reason = UNFINISHED_CALL[finished_reason];
    events.push(
      {
        type: "TOOL_RESULT_TEXT_DELTA",
        ...call,
        delta: hasResult ? withProgress(state, block.id, `${reason} ${OUTCOME_UNKNOWN}`) : reason,
      },
      {
        type: "TOOL_RESULT_END",
        ...call,
        state: "interrupted",
        metadata: resultMetadata(state, block.id),
      },
    );
  }
  return events;
}

interface ModelCallEnding {
  /** Of the `MODEL_CALL_END`. */
  readonly metadata?: Record<string, unknown>;
  /** The provider's proofs of the calls that are open, by their ids. */
  readonly signatures?: ReadonlyMap<string, string>;
  /** The `text` of the END of open text blocks: null keeps their content, an empty text removes it. */
  readonly text?: "" | null;
}

/**
 * The ENDs of a model call's open blocks (text, thinking, calls, data) and its `MODEL_CALL_END`.
 * @param usage Null for a call that did not complete: it is `interrupted`.
 */
export function endModelCall(
  state: ReplyState,
  usage: Usage | null,
  { metadata, signatures, text = null }: ModelCallEnding = {},
): EventDraft[] {
  const reply_id = state.message.id;
  const open = state.message.content
    .slice(state.turn_start)
    .filter((block) => block.finished_at === null);
  const ends = (["text", "thinking", "tool_call", "data"] as const).flatMap((type) =>
    open
      .filter((block) => block.type === type)
      .flatMap((block) => endOf(block, reply_id, { text, signature: signatures?.get(block.id) })),
  );
  return [
    ...ends,
    {
      type: "MODEL_CALL_END",
      reply_id,
      input_tokens: usage?.input_tokens ?? 0,
      output_tokens: usage?.output_tokens ?? 0,
      cache_input_tokens: usage?.cache_input_tokens ?? 0,
      cache_creation_input_tokens: usage?.cache_creation_input_tokens ?? 0,
      finished_reason: usage ? "completed" : "interrupted",
      ...(metadata && { metadata }),
    },
  ];
}

interface BlockEnding {
  readonly text: string | null;
  readonly signature: string | undefined;
}

function endOf(
  block: ContentBlock,
  reply_id: string,
  { text, signature }: BlockEnding,
): EventDraft[] {
  switch (block.type) {
    case "text":
      return [{ type: "TEXT_BLOCK_END", reply_id, block_id: block.id, text }];
    case "thinking":
      return [{ type: "THINKING_BLOCK_END", reply_id, block_id: block.id }];
    case "data":
      return [{ type: "DATA_BLOCK_END", reply_id, block_id: block.id }];
    case "tool_call": {
      const end = { type: "TOOL_CALL_END", reply_id, tool_call_id: block.id } as const;
      return [signature === undefined ? end : { ...end, metadata: { signature } }];
    }
    case "hint":
    case "tool_result":
      return [];
    default:
      return block satisfies never;
  }
}
