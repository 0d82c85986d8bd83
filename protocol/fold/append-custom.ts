// The CUSTOM events that change a message. Their values are free JSON from outside: one with another shape is
// ignored, like every other CUSTOM event.
import { arrangeBlocks } from "./arrange-blocks.ts";
import { addUsage } from "./add-usage.ts";
import { readUsage } from "../messages/read-usage.ts";
import { changeBlock, outputTextBlock } from "./append-content.ts";
import type { ContentBlock } from "../messages/blocks.ts";
import type { EventOf } from "../events.ts";
import {
  CONTEXT_COMPRESSED,
  CONTEXT_COMPRESSION_FAILED,
  CONTEXT_TRUNCATED,
} from "../context/events.ts";
import { AUTHORIZATION_COMPLETED } from "../messages/authorization.ts";
import { HOOK_ANSWERED } from "../hooks/events.ts";
import { INPUT_ANSWERED } from "../mcp/events.ts";
import type { Msg, Usage } from "../messages/messages.ts";
import { speechChangeOf } from "../voice/events.ts";
import { appendSpeech } from "./append-speech.ts";

/** Discards output that was streamed but not stored when the reply's machine was lost. */
export const REPLY_RECOVERED = "reply_recovered";
/** Replaces a call's input by the one that a person approved instead. */
export const TOOL_CALL_EDITED = "tool_call_edited";
/** Carries the structured output of the reply. */
export const STRUCTURED_OUTPUT = "structured_output";

/** The reply was interrupted: its calls have their results, and all that may follow is a text about it. No effect on the message. */
export const REPLY_INTERRUPTED = "reply_interrupted";

/** The reply waits until a quota of its tenant has room; no effect on the message. */
export const QUOTA_EXCEEDED = "quota_exceeded";

export interface ReplyRecoveredValue {
  readonly reply_id: string;
  /** Text, thinking, data and hint blocks to remove. */
  readonly discard_block_ids: readonly string[];
  /** Tool calls to remove. */
  readonly discard_tool_call_ids: readonly string[];
  /** Results to reset to their state after START. */
  readonly discard_tool_result_ids: readonly string[];
}

/** `value` repeats the reply's id, because AgentScope's readers drop `reply_id` from CUSTOM events. */
export function appendCustom(message: Msg, event: EventOf<"CUSTOM">): Msg {
  const speech = speechChangeOf(event);
  if (speech) return appendSpeech(message, speech);
  if (event.reply_id !== undefined && event.reply_id !== message.id) return message;
  if (event.value["reply_id"] !== message.id) return message;
  if (event.name === REPLY_RECOVERED) return takeBack(message, event.value);
  if (event.name === TOOL_CALL_EDITED) return editCall(message, event.value);
  if (event.name === AUTHORIZATION_COMPLETED) return allowCalls(message, event.value);
  if (event.name === STRUCTURED_OUTPUT) return setStructuredOutput(message, event.value);
  if (event.name === HOOK_ANSWERED) return takeHookChange(message, event);
  if (event.name === INPUT_ANSWERED) return continueCall(message, event.value);
  const usage = compressionUsage(event);
  if (usage) return { ...message, usage: addUsage(message.usage, usage) };
  return message;
}

const COMPRESSIONS: ReadonlySet<string> = new Set([
  CONTEXT_COMPRESSED,
  CONTEXT_TRUNCATED,
  CONTEXT_COMPRESSION_FAILED,
]);

/** The usage of a compression: a summary that a reply has waited for is part of what the reply has used. */
export function compressionUsage({ name, value }: EventOf<"CUSTOM">): Usage | null {
  return COMPRESSIONS.has(name) ? readUsage(value["usage"]) : null;
}

/** The blocks and their texts, or the output of a result, as a hook has changed them. */
function takeHookChange(message: Msg, { value, created_at }: EventOf<"CUSTOM">): Msg {
  const { change, point, step } = value;
  if (typeof change !== "object" || change === null) return message;
  const { blocks = [], text } = change as { readonly blocks?: unknown; readonly text?: unknown };
  if (!Array.isArray(blocks)) return message;
  const changed = (blocks as readonly unknown[]).reduce<Msg>(
    (folded, block) => {
      if (typeof block !== "object" || block === null) return folded;
      const { id, text: next } = block as { readonly id?: unknown; readonly text?: unknown };
      if (typeof id !== "string" || typeof next !== "string") return folded;
      return changeBlock(folded, "text", id, (found) =>
        found.text === next ? found : { ...found, text: next },
      );
    },
    arrangeBlocks(message, change),
  );
  if (point !== "post_acting" || typeof step !== "string" || typeof text !== "string") {
    return changed;
  }
  return changeBlock(changed, "tool_result", step, (result) => ({
    ...result,
    output: [outputTextBlock(result.id, 0, text, created_at)],
  }));
}

/** Calls that waited for a sign-in run now; what ended meanwhile stays ended. */
function allowCalls(message: Msg, { tool_call_ids }: Readonly<Record<string, unknown>>): Msg {
  if (!Array.isArray(tool_call_ids)) return message;
  return (tool_call_ids as readonly unknown[]).reduce<Msg>(
    (folded, id) =>
      typeof id === "string"
        ? changeBlock(folded, "tool_call", id, (call) =>
            call.state === "submitted" ? { ...call, state: "allowed" } : call,
          )
        : folded,
    message,
  );
}

function editCall(message: Msg, value: Readonly<Record<string, unknown>>): Msg {
  const { tool_call_id, input } = value;
  if (typeof tool_call_id !== "string" || typeof input !== "string") return message;
  return changeBlock(message, "tool_call", tool_call_id, (call) =>
    call.input === input ? call : { ...call, input },
  );
}

/** The call continues with what it was given. */
function continueCall(message: Msg, { tool_call_id }: Readonly<Record<string, unknown>>): Msg {
  if (typeof tool_call_id !== "string") return message;
  return changeBlock(message, "tool_call", tool_call_id, (call) =>
    call.state === "submitted" ? { ...call, state: "allowed" } : call,
  );
}

/** The last one wins. The value is shared with the event, so that every reader serialises the same JSON. */
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

/** A result as after its START, which is not sent again; and its call as before it was started. */
function resetBlock(block: ContentBlock): ContentBlock {
  if (block.type === "tool_call" && (block.state === "finished" || block.state === "submitted")) {
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

/** Absent means empty; null when the value is not a list of strings. */
function idSet(value: unknown = []): ReadonlySet<string> | null {
  const isList = Array.isArray(value) && value.every((id) => typeof id === "string");
  return isList ? new Set(value as string[]) : null;
}
