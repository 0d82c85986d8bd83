// Ends calls whose time to be answered is over.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { cancelAll } from "../inputs/read-input-answer.ts";
import { inputAnswered } from "../inputs/input-answered.ts";
import { refusedResult } from "../tool-call/refused-result.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { withProgress } from "../state/progress-record.ts";
import { resultMetadata } from "../state/result-metadata.ts";

const NOBODY_ANSWERED = "Nobody answered in time whether it may run.";
const NO_RESULT =
  "No result came in time, so its outcome is unknown: find out before you call it again.";

const NO_SIGN_IN_AGAIN =
  "Nobody signed in in time to learn what became of it, so its outcome is unknown: find out before you call it again.";
const NO_SIGN_IN = "Nobody signed in in time, so the call was not made.";

/**
 * Events that end expired calls: denied (asking) with a reason that the model sees, error (submitted); what a call asked a
 * person for is cancelled, and the call continues. Ids of calls
 * that no longer wait are ignored, so that a late or repeated alarm is harmless.
 * @param isSignIn Whether the call waits for a sign-in, and not for a result.
 */
export function expireCalls(
  state: ReplyState,
  toolCallIds: readonly string[],
  isSignIn: (toolCallId: string) => boolean = () => false,
): readonly EventDraft[] {
  const expired = new Set(toolCallIds);
  return state.message.content.flatMap((block) =>
    block.type === "tool_call" && expired.has(block.id)
      ? expireCall(state, block, isSignIn(block.id))
      : [],
  );
}

function expireCall(
  state: ReplyState,
  call: ToolCallBlock,
  isSignIn: boolean,
): readonly EventDraft[] {
  if (call.state === "asking") {
    const text = `The call of ${call.name} was denied. ${NOBODY_ANSWERED}`;
    const decision = { behavior: "deny", reason: NOBODY_ANSWERED, rule: null } as const;
    return refusedResult(state, call, { state: "denied", text, decision });
  }
  if (call.state !== "submitted") return [];
  const asked = state.inputs.get(call.id);
  if (asked && !isSignIn) return [inputAnswered(state, call.id, cancelAll(asked.elicitation))];
  const target = { reply_id: state.message.id, tool_call_id: call.id };
  const notSignedIn = state.tasks.has(call.id) ? NO_SIGN_IN_AGAIN : NO_SIGN_IN;
  return [
    {
      type: "TOOL_RESULT_TEXT_DELTA",
      ...target,
      delta: withProgress(state, call.id, isSignIn ? notSignedIn : NO_RESULT),
    },
    {
      type: "TOOL_RESULT_END",
      ...target,
      state: "error",
      metadata: resultMetadata(state, call.id),
    },
  ];
}
