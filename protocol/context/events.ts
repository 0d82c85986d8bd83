// Context compression on the wire: the two events with which older messages leave the model's context, and the tool by
// which a model asks for it.
import type { ErrorInfo, Usage } from "../messages/messages.ts";

/** The `name` of the `CUSTOM` event by which a summary replaces messages; its value is {@link ContextCompressedValue}. */
export const CONTEXT_COMPRESSED = "context_compressed";

/** The `name` of the `CUSTOM` event by which messages are left out; its value is {@link ContextTruncatedValue}. */
export const CONTEXT_TRUNCATED = "context_truncated";

/**
 * The `name` of the `CUSTOM` event that says what a compression has used which failed and changed nothing; its value is
 * {@link ContextCompressionFailedValue}.
 */
export const CONTEXT_COMPRESSION_FAILED = "context_compression_failed";

/** The tool with which a model has its context compressed; reserved. */
export const COMPRESS_CONTEXT_TOOL = "compress_context";

/**
 * The reason that messages were summarised: the conversation has passed the threshold at which it is done in the
 * background, the one at which a reply waits for it, the provider said that the prompt is too long, a request or the
 * model asked for it.
 */
export type CompressionTrigger =
  | "soft_threshold"
  | "hard_threshold"
  | "prompt_too_long"
  | "request"
  | "tool";

/**
 * The reason that messages were left out without a summary: it could not be made, the agent wants none, or a
 * conversation that was never summarised has more than the model can read.
 */
export type TruncationReason = "compression_failed" | "compression_off" | "history_limit";

/** The messages that have left the context. They stay stored. */
export interface LeftMessages {
  /** The oldest one. */
  readonly first_message_id: string;
  readonly last_message_id: string;
  /**
   * The last block of the last message that has left; null for the whole message. Of a tool call and its result, which
   * have the same id, it means the result.
   */
  readonly last_block_id: string | null;
  /** Tokens of the whole context before and after, as the agent's `token_counter` counts. */
  readonly tokens_before: number;
  readonly tokens_after: number;
  /**
   * The user's words that the last message answers, when it has lost its first turns only: the model is still shown them.
   */
  readonly request?: string;
  /** The calls among them whose results are not trusted: a summary of them is not trusted either. */
  readonly untrusted_results?: readonly string[];
}

/** `reply_id` is set in a reply; the fold then adds `usage` to the usage of its message. */
export interface ContextCompressedValue extends LeftMessages {
  readonly summary_id: string;
  /** The text that takes the place of everything up to the last block. It includes what an earlier summary said. */
  readonly summary: string;
  /** The name of the model that wrote it. */
  readonly model: string;
  /** Of all calls that it took. */
  readonly usage: Usage;
  readonly trigger: CompressionTrigger;
  readonly reply_id?: string;
}

/** The summary before stays. */
export interface ContextTruncatedValue extends LeftMessages {
  readonly reason: TruncationReason;
  /** Of the calls that gave no summary; left out when none was counted. */
  readonly usage?: Usage;
  readonly reply_id?: string;
}

/**
 * `no_summary`: the model's answers fit no summary; `too_long`: no part of the conversation was short enough for it;
 * `too_late`: its time was over; `model_failed`: as `error` says.
 */
export type CompressionFailure = "no_summary" | "too_long" | "too_late" | "model_failed";

/** A failure before any model has answered has no event. */
export interface ContextCompressionFailedValue {
  readonly trigger: CompressionTrigger;
  readonly reason: CompressionFailure;
  readonly error: ErrorInfo;
  /** The name of the model that was asked. */
  readonly model: string;
  /** Of the calls that were answered. */
  readonly usage: Usage;
  readonly reply_id?: string;
}
