// How a reply is brought to its end, from wherever it stands: what is open is closed, every call gets a result,
// so the next turn starts from a context that a model provider accepts.
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ErrorInfo, FinishedReason, Usage } from "../../protocol/messages/messages.ts";
import type { ReplyState } from "./reply-state.ts";
import { resultMetadata } from "./result-metadata.ts";

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

/** The request may have left: a model that took the call for not made would make it twice. */
const OUTCOME_UNKNOWN =
  "It had been started, so its outcome is unknown: find out before you call it again.";

/** Everything that is left to say, `REPLY_END` last; one append makes it all durable together. */
export function closeReply(state: ReplyState, closing: ReplyClosing): EventDraft[] {
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
    const reason = UNFINISHED_CALL[closing.finished_reason];
    events.push(
      {
        type: "TOOL_RESULT_TEXT_DELTA",
        ...call,
        delta: hasResult ? `${reason} ${OUTCOME_UNKNOWN}` : reason,
      },
      {
        type: "TOOL_RESULT_END",
        ...call,
        state: "interrupted",
        metadata: resultMetadata(state, block.id),
      },
    );
  }
  if (closing.finished_reason === "exceed_max_iters") {
    events.push({ type: "EXCEED_MAX_ITERS", reply_id, name: message.name });
  }
  events.push({
    type: "REPLY_END",
    session_id: closing.session_id,
    reply_id,
    finished_reason: closing.finished_reason,
    error: closing.error ?? null,
    ...(closing.metadata && { metadata: closing.metadata }),
  });
  return events;
}

interface ModelCallEnding {
  /** Of the `MODEL_CALL_END`. */
  readonly metadata?: Record<string, unknown>;
  /** What open text blocks end with: null leaves what they have, an empty text takes it away. */
  readonly text?: "" | null;
}

/**
 * The ENDs of a model call's open blocks (text, thinking, calls, data) and its `MODEL_CALL_END`.
 * @param usage Null when the call did not come to its end: it is then `interrupted`.
 */
export function endModelCall(
  state: ReplyState,
  usage: Usage | null,
  { metadata, text = null }: ModelCallEnding = {},
): EventDraft[] {
  const reply_id = state.message.id;
  const open = state.message.content
    .slice(state.turn_start)
    .filter((block) => block.finished_at === null);
  const ends = (["text", "thinking", "tool_call", "data"] as const).flatMap((type) =>
    open.filter((block) => block.type === type).flatMap((block) => endOf(block, reply_id, text)),
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

function endOf(block: ContentBlock, reply_id: string, text: string | null): EventDraft[] {
  switch (block.type) {
    case "text":
      return [{ type: "TEXT_BLOCK_END", reply_id, block_id: block.id, text }];
    case "thinking":
      return [{ type: "THINKING_BLOCK_END", reply_id, block_id: block.id }];
    case "data":
      return [{ type: "DATA_BLOCK_END", reply_id, block_id: block.id }];
    case "tool_call":
      return [{ type: "TOOL_CALL_END", reply_id, tool_call_id: block.id }];
    case "hint":
    case "tool_result":
      return [];
    default:
      return block satisfies never;
  }
}
