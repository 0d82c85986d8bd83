// The result of a call that an ability settles, as events in one order.
import type { EventDraft } from "../../protocol/events.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Settlement } from "../ability.ts";
import { startOfResult, type DecisionRecord } from "./refused-result.ts";
import { withUntrusted, type ReplyState } from "../state/reply-state.ts";
import { resultMetadata } from "../state/result-metadata.ts";

/** The whole result, from `TOOL_RESULT_START` on: one append, so that a crash leaves all of it or nothing. */
export function settledResult(
  state: ReplyState,
  call: ToolCallBlock,
  settlement: Settlement,
  decision: DecisionRecord | null,
): EventDraft[] {
  const { untrusted = null } = settlement;
  return [
    startOfResult(state, call, decision, untrusted),
    ...resultAfterStart(state, call, settlement),
  ];
}

/** The events after the START, for a call with effects outside, whose START is on disk already. */
export function resultAfterStart(
  before: ReplyState,
  call: ToolCallBlock,
  { text, isError = false, untrusted = null, metadata, events = [], after = [] }: Settlement,
): EventDraft[] {
  const state = withUntrusted(before, call.id, untrusted);
  const target = { reply_id: state.message.id, tool_call_id: call.id };
  return [
    ...events,
    { type: "TOOL_RESULT_TEXT_DELTA", ...target, delta: text },
    {
      type: "TOOL_RESULT_END",
      ...target,
      state: isError ? "error" : "success",
      metadata: resultMetadata(state, call.id, metadata),
    },
    ...after,
  ];
}
