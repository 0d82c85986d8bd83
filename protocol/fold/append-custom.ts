// The three CUSTOM events that the fold honours. Their values come from outside as free JSON: one that has
// another shape is ignored, as every other CUSTOM event is.
import { changeBlock } from "./append-content.ts";
import type { ContentBlock } from "../messages/blocks.ts";
import type { EventOf } from "../events.ts";
import type { Msg } from "../messages/messages.ts";

/** Takes back what a lost machine had shown. */
export const REPLY_RECOVERED = "reply_recovered";
/** Replaces a call's input by the one that a person approved instead. */
export const TOOL_CALL_EDITED = "tool_call_edited";
/** Brings the object that the reply was asked to fill in. */
export const STRUCTURED_OUTPUT = "structured_output";

/** Says that the reply waits until a quota of its tenant has room; changes nothing of the message. */
export const QUOTA_EXCEEDED = "quota_exceeded";

export interface ReplyRecoveredValue {
  readonly reply_id: string;
  /** Text, thinking, data and hint blocks that never were. */
  readonly discard_block_ids: readonly string[];
  /** Calls that never were. */
  readonly discard_tool_call_ids: readonly string[];
  /** Results that go back to where their START had put them. */
  readonly discard_tool_result_ids: readonly string[];
}

export interface ToolCallEditedValue {
  readonly reply_id: string;
  readonly tool_call_id: string;
  /** The input's JSON text. */
  readonly input: string;
}

export interface StructuredOutputValue {
  readonly reply_id: string;
  /** Fits the schema that the reply was given. */
  readonly output: Readonly<Record<string, unknown>>;
}

/** The reply is named twice: readers of AgentScope drop `reply_id` from the event, the value stays. */
export function appendCustom(message: Msg, event: EventOf<"CUSTOM">): Msg {
  if (event.reply_id !== undefined && event.reply_id !== message.id) return message;
  if (event.value["reply_id"] !== message.id) return message;
  if (event.name === REPLY_RECOVERED) return takeBack(message, event.value);
  if (event.name === TOOL_CALL_EDITED) return editCall(message, event.value);
  if (event.name === STRUCTURED_OUTPUT) return setStructuredOutput(message, event.value);
  return message;
}

function editCall(message: Msg, value: Readonly<Record<string, unknown>>): Msg {
  const { tool_call_id, input } = value;
  if (typeof tool_call_id !== "string" || typeof input !== "string") return message;
  return changeBlock(message, "tool_call", tool_call_id, (call) =>
    call.input === input ? call : { ...call, input },
  );
}

/** The last one wins. The value is the event's own, so every reader writes the same JSON. */
function setStructuredOutput(message: Msg, value: Readonly<Record<string, unknown>>): Msg {
  const { output } = value;
  if (!output || typeof output !== "object" || Array.isArray(output)) return message;
  return { ...message, structured_output: output as Record<string, unknown> };
}

function takeBack(message: Msg, value: Readonly<Record<string, unknown>>): Msg {
  const blocks = idSet(value["discard_block_ids"]);
  const calls = idSet(value["discard_tool_call_ids"]);
  const results = idSet(value["discard_tool_result_ids"]);
  if (!blocks || !calls || !results) return message;

  const kept = message.content.filter(
    ({ type, id }) => type === "tool_result" || !(type === "tool_call" ? calls : blocks).has(id),
  );
  const reset = new Set(
    kept.filter(({ type, id }) => type === "tool_result" && results.has(id)).map(({ id }) => id),
  );
  const content = kept.map((block) => (reset.has(block.id) ? resetBlock(block) : block));
  const isSame = content.every((block, index) => block === message.content[index]);
  return isSame && content.length === message.content.length ? message : { ...message, content };
}

/**
 * A result as right after its START, which is not sent again; and its call, which had been let through before it was
 * started.
 */
function resetBlock(block: ContentBlock): ContentBlock {
  if (block.type === "tool_call" && block.state === "finished") {
    return { ...block, state: "allowed" };
  }
  if (block.type !== "tool_result") return block;
  const isJustStarted =
    block.state === "running" &&
    block.finished_at === null &&
    block.output.length === 0 &&
    typeof block.output !== "string" &&
    Object.keys(block.metadata).length === 0;
  if (isJustStarted) return block;
  return { ...block, output: [], state: "running", metadata: {}, finished_at: null };
}

/** A list that is left out is empty; null when it is no list of strings. */
function idSet(value: unknown = []): ReadonlySet<string> | null {
  const isList = Array.isArray(value) && value.every((id) => typeof id === "string");
  return isList ? new Set(value as string[]) : null;
}
