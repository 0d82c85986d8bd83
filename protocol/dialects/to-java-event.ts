// Translates one event to its counterpart in AgentScope for Java. Whatever depends on several events is in
// `java-translator.ts`.
import { REQUEST_STOP } from "../hooks/events.ts";
import type { AgentEvent, EventOf } from "../events.ts";
import type { JsonObject } from "../json-object.ts";
import { dropKeys } from "./json-object.ts";
import { withOwnMembers } from "./own-members.ts";
import { toJavaHint, toJavaResult, toJavaSource, toToolUse } from "./to-agentscope-java-block.ts";
import { toJavaUsage } from "./to-agentscope-java-message.ts";

export interface JavaLogEvent extends JsonObject {
  readonly type: string;
}

/** Data that Java's events repeat and that ours leave to earlier events. */
export interface JavaContext {
  /** The tool name of a result's call; undefined when no event has named it. */
  readonly toolCallName: (callId: string) => string | undefined;
  /** Number of completed model calls of the reply. */
  readonly iterations: number;
}

/** Members common to all events. */
const BASE_KEYS = ["id", "created_at", "metadata", "visibility", "type", "reply_id", "seq"];

/** Java's type and members, and our members that Java lacks. */
type Translation = readonly [type: string, members: JsonObject, own?: JsonObject];

/** The event in Java's names; members that Java lacks go into its metadata, and absent members are left out. */
export function toJavaEvent(event: AgentEvent, context: JavaContext): JavaLogEvent {
  const [type, members, own = {}] = translate(event, context);
  const isHidden = event.visibility !== undefined && event.visibility !== "user";
  const metadata = withOwnMembers(event.metadata, {
    ...own,
    ...(isHidden && { visibility: event.visibility }),
  });
  return {
    id: event.id,
    createdAt: event.created_at,
    ...(metadata && { metadata }),
    type,
    ...(event.reply_id !== undefined && { replyId: event.reply_id }),
    ...members,
  };
}

function translate(event: AgentEvent, context: JavaContext): Translation {
  const { type } = event;
  switch (type) {
    case "REPLY_START":
      return ["AGENT_START", { sessionId: event.session_id, name: event.name, role: event.role }];
    case "REPLY_END":
      return ["AGENT_END", {}, endMembers(event)];
    case "MODEL_CALL_START":
      return [type, { modelName: event.model_name }];
    case "MODEL_CALL_END": {
      const { finished_reason } = event;
      const own = finished_reason === "completed" ? {} : { finished_reason };
      return [type, { usage: toJavaUsage(event) }, own];
    }
    case "TEXT_BLOCK_END":
      return [type, { blockId: event.block_id }, event.text === null ? {} : { text: event.text }];
    case "TEXT_BLOCK_START":
    case "THINKING_BLOCK_START":
    case "THINKING_BLOCK_END":
    case "DATA_BLOCK_END":
      return [type, { blockId: event.block_id }];
    case "TEXT_BLOCK_DELTA":
    case "THINKING_BLOCK_DELTA":
      return [type, { blockId: event.block_id, delta: event.delta }];
    case "DATA_BLOCK_START": {
      const own = event.name === null ? {} : { name: event.name };
      return [type, { blockId: event.block_id, mediaType: event.media_type }, own];
    }
    case "DATA_BLOCK_DELTA": {
      const payload = event.url === null ? { data: event.data } : { url: event.url };
      return [type, { blockId: event.block_id, mediaType: event.media_type, ...payload }];
    }
    case "HINT_BLOCK":
      return hintBlock(event);
    case "TOOL_CALL_START":
    case "TOOL_RESULT_START":
      return [type, { toolCallId: event.tool_call_id, toolCallName: event.tool_call_name }];
    case "TOOL_CALL_DELTA":
      return [type, { toolCallId: event.tool_call_id, delta: event.delta }];
    case "TOOL_CALL_END":
      return [type, { toolCallId: event.tool_call_id }];
    case "TOOL_RESULT_TEXT_DELTA":
      return [type, { ...namedCall(event, context), delta: event.delta }];
    case "TOOL_RESULT_DATA_DELTA":
      return [type, { ...namedCall(event, context), data: dataBlock(event) }];
    case "TOOL_RESULT_END":
      return [type, { ...namedCall(event, context), state: event.state.toUpperCase() }];
    case "EXCEED_MAX_ITERS": {
      const { iterations } = context;
      const { name, metadata } = event;
      return [type, { maxIters: iterations, currentIter: iterations }, { name, metadata }];
    }
    case "REQUIRE_USER_CONFIRM":
    case "REQUIRE_EXTERNAL_EXECUTION":
      return [type, { toolCalls: event.tool_calls.map(toToolUse) }];
    case "USER_CONFIRM_RESULT":
      return [type, { confirmResults: event.confirm_results.map(confirmResult) }];
    case "EXTERNAL_EXECUTION_RESULT":
      return [type, { executionResults: event.execution_results.map(toJavaResult) }];
    case "USER_INTERRUPT":
      // Java has no interrupt event; an interrupt is a stop request there.
      return ["REQUEST_STOP", { reason: "interrupted", generateReason: "INTERRUPTED" }, { type }];
    case "CUSTOM":
      if (event.name === REQUEST_STOP) {
        const { reason, generateReason, ...own } = event.value;
        return ["REQUEST_STOP", { reason, generateReason }, own];
      }
      return [type, { name: event.name, value: event.value }];
    default:
      // A type newer than this version: its members are passed through unchanged.
      return [type, unknownMembers(event)];
  }
}

function endMembers({ session_id, finished_reason, error }: EventOf<"REPLY_END">): JsonObject {
  return { session_id, finished_reason, ...(error && { error }) };
}

function hintBlock({ type, block_id, source, hint }: EventOf<"HINT_BLOCK">): Translation {
  const members = {
    blockId: block_id,
    ...(source !== null && { hintSource: source }),
    hint: toJavaHint(hint),
  };
  return [type, members, typeof hint === "string" ? {} : { hint }];
}

function namedCall(
  { tool_call_id: toolCallId }: { readonly tool_call_id: string },
  context: JavaContext,
): JsonObject {
  const toolCallName = context.toolCallName(toolCallId);
  return { toolCallId, ...(toolCallName !== undefined && { toolCallName }) };
}

/** Java's event carries a complete block. */
function dataBlock({ block_id, media_type, data, url }: EventOf<"TOOL_RESULT_DATA_DELTA">) {
  const source =
    url === null
      ? ({ type: "base64", data: data ?? "", media_type } as const)
      : ({ type: "url", url, media_type } as const);
  return { type: "data", id: block_id, source: toJavaSource(source) };
}

/** Rules are snake_case in Java too. */
function confirmResult({
  confirmed,
  tool_call,
  rules,
  reason,
}: EventOf<"USER_CONFIRM_RESULT">["confirm_results"][number]): JsonObject {
  const toolCall = toToolUse(tool_call);
  return { confirmed, toolCall, ...(rules && { rules }), ...(reason && { reason }) };
}

function unknownMembers(event: never): JsonObject {
  return dropKeys(event, BASE_KEYS);
}
