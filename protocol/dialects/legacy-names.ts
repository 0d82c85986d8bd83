// Names used by earlier AgentScope documents and releases, mapped to today's. Tables of exact names, so that a
// provider's own members and free-form JSON are never changed.
import { MAX_ENUM_CHARACTERS } from "../requests/limits.ts";

/** First alpha of 2.0, and Java, → today's. */
export const EVENT_TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ["RUN_STARTED", "REPLY_START"],
  ["RUN_FINISHED", "REPLY_END"],
  ["AGENT_START", "REPLY_START"],
  ["AGENT_END", "REPLY_END"],
  ["MODEL_CALL_STARTED", "MODEL_CALL_START"],
  ["MODEL_CALL_ENDED", "MODEL_CALL_END"],
  ["BINARY_BLOCK_START", "DATA_BLOCK_START"],
  ["BINARY_BLOCK_DELTA", "DATA_BLOCK_DELTA"],
  ["BINARY_BLOCK_END", "DATA_BLOCK_END"],
  ["TOOL_RESULT_BINARY_DELTA", "TOOL_RESULT_DATA_DELTA"],
  ["THREAD_EXPOSED", "SUBAGENT_EXPOSED"],
]);

const lifetime = [
  ["createdAt", "created_at"],
  ["finishedAt", "finished_at"],
] as const;

export const EVENT_KEYS: ReadonlyMap<string, string> = new Map([
  ...lifetime,
  ["replyId", "reply_id"],
  ["sessionId", "session_id"],
  ["blockId", "block_id"],
  ["mediaType", "media_type"],
  ["toolCallId", "tool_call_id"],
  ["toolCallName", "tool_call_name"],
  ["toolCalls", "tool_calls"],
  ["confirmResults", "confirm_results"],
  ["executionResults", "execution_results"],
  ["modelName", "model_name"],
  ["inputTokens", "input_tokens"],
  ["outputTokens", "output_tokens"],
  ["cacheInputTokens", "cache_input_tokens"],
  ["cacheCreationInputTokens", "cache_creation_input_tokens"],
  ["finishedReason", "finished_reason"],
]);

export const CONFIRM_RESULT_KEYS: ReadonlyMap<string, string> = new Map([
  ["toolCall", "tool_call"],
]);

export const RULE_KEYS: ReadonlyMap<string, string> = new Map([
  ["toolName", "tool_name"],
  ["ruleContent", "rule_content"],
]);

export const BLOCK_KEYS: ReadonlyMap<string, string> = new Map([
  ...lifetime,
  ["suggestedRules", "suggested_rules"],
  ["hintSource", "source"],
]);

export const SOURCE_KEYS: ReadonlyMap<string, string> = new Map([
  ["mediaType", "media_type"],
  ["mime_type", "media_type"],
  ["mimeType", "media_type"],
]);

export const USAGE_KEYS: ReadonlyMap<string, string> = new Map([
  ["inputTokens", "input_tokens"],
  ["outputTokens", "output_tokens"],
  ["cacheInputTokens", "cache_input_tokens"],
  ["cacheCreationInputTokens", "cache_creation_input_tokens"],
]);

export const MESSAGE_KEYS: ReadonlyMap<string, string> = new Map([
  ...lifetime,
  ["timestamp", "created_at"],
  ["finishedReason", "finished_reason"],
  ["structuredOutput", "structured_output"],
]);

/** Java and the first documents write enum values in capitals: `SUCCESS` → `success`. Others stay. */
export function canonicalEnum(value: unknown): unknown {
  return typeof value === "string" &&
    value.length <= MAX_ENUM_CHARACTERS &&
    /^[A-Z]+(?:_[A-Z]+)*$/.test(value)
    ? value.toLowerCase()
    : value;
}
