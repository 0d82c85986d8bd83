// Ends calls whose time to be answered is over.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { inputAnswered } from "../inputs/input-answered.ts";
import { refusedResult } from "../tool-call/refused-result.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { resultMetadata } from "../state/result-metadata.ts";

const NOBODY_ANSWERED = "Nobody answered in time whether it may run.";
const NO_RESULT =
  "No result came in time, so its outcome is unknown: find out before you call it again.";

/**
 * Events that end expired calls: denied (asking) with a reason that the model sees, error (submitted); what a call asked a
 * person for is cancelled, and the call goes on. Ids of calls
 * that no longer wait are ignored, so that a late or repeated alarm is harmless.
 */
export function expireCalls(
  state: ReplyState,
  toolCallIds: readonly string[],
): readonly EventDraft[] {
  const expired = new Set(toolCallIds);
  return state.message.content.flatMap((block) =>
    block.type === "tool_call" && expired.has(block.id) ? expireCall(state, block) : [],
  );
}

function expireCall(state: ReplyState, call: ToolCallBlock): readonly EventDraft[] {
  if (call.state === "asking") {
    const text = `The call of ${call.name} was denied. ${NOBODY_ANSWERED}`;
    const decision = { behavior: "deny", reason: NOBODY_ANSWERED, rule: null } as const;
    return refusedResult(state, call, { state: "denied", text, decision });
  }
  if (call.state !== "submitted") return [];
  const target = { reply_id: state.message.id, tool_call_id: call.id };
  return [
    { type: "TOOL_RESULT_TEXT_DELTA", ...target, delta: NO_RESULT },
    {
      type: "TOOL_RESULT_END",
      ...target,
      state: "error",
      metadata: resultMetadata(state, call.id),
    },
  ];
}
