// The part of an event of a called agent's log that its caller's log has. Pure: the called agent's session says it, so that nothing is
// sent that is left out.
import {
  SUBAGENT_CALL,
  SUBAGENT_EVENT,
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
} from "../../protocol/agents/events.ts";
import { SUBAGENT_RESULT_BYTES } from "../../protocol/agents/limits.ts";
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import {
  QUOTA_EXCEEDED,
  REPLY_INTERRUPTED,
  REPLY_RECOVERED,
  STRUCTURED_OUTPUT,
  TOOL_CALL_EDITED,
} from "../../protocol/fold/append-custom.ts";
import { INPUT_ANSWERED } from "../../protocol/mcp/events.ts";
import { AUTHORIZATION_COMPLETED } from "../../protocol/messages/authorization.ts";
import type { ToolResultBlock } from "../../protocol/messages/blocks.ts";
import { STATE_UPDATED } from "../../protocol/plans/events.ts";
import { SHARED_STATE_UPDATED } from "../../protocol/shared-state/events.ts";
import { utf8Bytes, withinBytes } from "../../protocol/utf8-bytes.ts";

const TYPES: ReadonlySet<LoggedEvent["type"]> = new Set<LoggedEvent["type"]>([
  "REPLY_START",
  "TEXT_BLOCK_START",
  "TEXT_BLOCK_DELTA",
  "TEXT_BLOCK_END",
  "TOOL_CALL_START",
  "TOOL_CALL_DELTA",
  "TOOL_CALL_END",
  "TOOL_RESULT_START",
  "TOOL_RESULT_TEXT_DELTA",
  "TOOL_RESULT_DATA_DELTA",
  "TOOL_RESULT_END",
  "EXCEED_MAX_ITERS",
  "REQUIRE_USER_CONFIRM",
  "REQUIRE_EXTERNAL_EXECUTION",
  "USER_CONFIRM_RESULT",
  "EXTERNAL_EXECUTION_RESULT",
  "USER_INTERRUPT",
  "REPLY_END",
]);

/** States, errors, and what a reader of the copied events needs to show the same as a reader of the log. */
const NAMES: ReadonlySet<string> = new Set([
  REPLY_RECOVERED,
  REPLY_INTERRUPTED,
  TOOL_CALL_EDITED,
  STRUCTURED_OUTPUT,
  QUOTA_EXCEEDED,
  INPUT_ANSWERED,
  AUTHORIZATION_COMPLETED,
  STATE_UPDATED,
  SHARED_STATE_UPDATED,
  SUBAGENT_CALL,
  SUBAGENT_EVENT,
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
]);

/** Whether a caller's log has something of the event. */
export function isCopied(event: LoggedEvent): boolean {
  return event.type === "CUSTOM" ? NAMES.has(event.name) : TYPES.has(event.type);
}

/**
 * The event as a caller's log has it; null for one that it has not.
 * @param results Bytes of each open result that were copied before, by the id of its call. It is changed.
 */
export function copiedEvent(event: LoggedEvent, results: Map<string, number>): LoggedEvent | null {
  if (!isCopied(event)) return null;
  switch (event.type) {
    case "TOOL_RESULT_TEXT_DELTA": {
      const delta = withinBytes(event.delta, roomOf(event, results));
      if (delta === "") return null;
      note(event, utf8Bytes(delta), results);
      return { ...event, delta };
    }
    case "TOOL_RESULT_DATA_DELTA": {
      const bytes = (event.data ?? event.url ?? "").length;
      if (bytes > roomOf(event, results)) return null;
      note(event, bytes, results);
      return event;
    }
    case "TOOL_RESULT_END":
      results.delete(event.tool_call_id);
      return withLittleMetadata(event);
    case "EXTERNAL_EXECUTION_RESULT":
      return { ...event, execution_results: event.execution_results.map(cutResult) };
    case "TOOL_CALL_END": {
      // A provider's proof of what it has thought.
      const { signature: _, ...metadata } = event.metadata;
      return withLittleMetadata({ ...event, metadata });
    }
    case "REQUIRE_USER_CONFIRM":
    case "REQUIRE_EXTERNAL_EXECUTION":
    case "USER_CONFIRM_RESULT":
      return event;
    default:
      return withLittleMetadata(event);
  }
}

type ResultDelta = EventOf<"TOOL_RESULT_TEXT_DELTA" | "TOOL_RESULT_DATA_DELTA">;

function roomOf({ tool_call_id }: ResultDelta, results: ReadonlyMap<string, number>): number {
  return SUBAGENT_RESULT_BYTES - (results.get(tool_call_id) ?? 0);
}

function note({ tool_call_id }: ResultDelta, bytes: number, results: Map<string, number>): void {
  results.set(tool_call_id, (results.get(tool_call_id) ?? 0) + bytes);
}

function cutResult(result: ToolResultBlock): ToolResultBlock {
  const { output, metadata } = result;
  return { ...result, output: cutOutput(output), metadata: littleOf(metadata) };
}

function cutOutput(output: ToolResultBlock["output"]): ToolResultBlock["output"] {
  if (typeof output === "string") return withinBytes(output, SUBAGENT_RESULT_BYTES);
  let room = SUBAGENT_RESULT_BYTES;
  return output.flatMap((block): typeof output => {
    if (block.type === "text") {
      const text = withinBytes(block.text, room);
      room -= utf8Bytes(text);
      return text === "" ? [] : [{ ...block, text }];
    }
    const bytes = JSON.stringify(block).length;
    if (bytes > room) return [];
    room -= bytes;
    return [block];
  });
}

function withLittleMetadata(event: LoggedEvent): LoggedEvent {
  const metadata = littleOf(event.metadata);
  return metadata === event.metadata ? event : { ...event, metadata };
}

function littleOf(metadata: Record<string, unknown>): Record<string, unknown> {
  return utf8Bytes(JSON.stringify(metadata)) <= SUBAGENT_RESULT_BYTES ? metadata : {};
}
