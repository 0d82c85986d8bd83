// The sizes that a context is held to.
import type { ContextSettings, TokenCounter } from "../../protocol/context/contract.ts";
import {
  COMPRESSION_HINT_RATIO,
  DEFAULT_RESERVE_RATIO,
  DEFAULT_TOOL_RESULT_TOKENS,
  DEFAULT_TRIGGER_RATIO,
} from "../../protocol/context/limits.ts";

/** Tokens, all of them as the counter counts. */
export interface ContextLimits {
  readonly counter: TokenCounter;
  /** Tokens that the model can read at once. */
  readonly size: number;
  /** From here on older messages are summarised in the background. */
  readonly soft: number;
  /** From here on a reply waits for it; never below the soft one. */
  readonly hard: number;
  /** From here on the model is told that it may compress its context. */
  readonly hint: number;
}

/**
 * @param window Tokens that the model can read at once. A threshold in tokens that is above the hard one, of a model with
 *   a smaller window than its author thought of, is the hard one.
 */
export function contextLimits(settings: ContextSettings, window: number): ContextLimits {
  const size = settings.context_size ?? window;
  const { trigger_ratio = DEFAULT_TRIGGER_RATIO, trigger_threshold } = settings;
  const hard = Math.floor(size * (1 - (settings.reserve_ratio ?? DEFAULT_RESERVE_RATIO)));
  const soft = Math.min(trigger_threshold ?? Math.floor(size * trigger_ratio), hard);
  const hint = Math.max(0, soft - Math.floor(size * COMPRESSION_HINT_RATIO));
  return { counter: settings.token_counter ?? "provider", size, soft, hard, hint };
}

/** Tokens of one tool result that the model is sent, as estimated; of a small window half of it at most. */
export function toolResultLimit({ tool_result_limit }: ContextSettings, size: number): number {
  return Math.min(tool_result_limit ?? DEFAULT_TOOL_RESULT_TOKENS, turnResultsLimit(size));
}

/** Tokens of all results of one turn: they stay beside each other until the model has read them. */
export function turnResultsLimit(size: number): number {
  return Math.ceil(size / 2);
}
