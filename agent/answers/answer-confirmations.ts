// Accepts or refuses a `USER_CONFIRM_RESULT`: a person's answers to calls that ask. One event is accepted as a whole or
// not at all.
import { TOOL_CALL_EDITED } from "../../protocol/fold/append-custom.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import type { EventDraft, EventOf } from "../../protocol/events.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { AnswerContext, Answered, GivenAnswer } from "./answer-context.ts";
import {
  acceptedMetadata,
  checkAnswerEvent,
  findCall,
  refuseAnswer,
  roomForAnswer,
} from "./answer-refusal.ts";
import {
  checkConfirmation,
  findDenyRuleOfCall,
  type CheckedConfirmation,
} from "./check-confirmation.ts";
import { refusedResult } from "../tool-call/refused-result.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { settleByRules } from "./settle-by-rules.ts";
import { ruleKey } from "./accept-rules.ts";

/**
 * Returns the accepted event, with the calls as the platform has them and the input that runs, then its effects: edits,
 * results of denied calls, calls that new rules settle. Refusals have the extension `tool_call_id` and, with
 * `call_not_pending`, `state` (the call's; null for an unknown call); the caller adds `reply` and `pending`.
 */
export function answerConfirmations(
  state: ReplyState,
  event: EventOf<"USER_CONFIRM_RESULT">,
  context: AnswerContext,
): Result<Answered> {
  const checked = checkConfirmations(state, event, context);
  if (!checked.ok) return checked;
  const fresh = checked.value.filter(({ isRepeated }) => !isRepeated);
  if (fresh.length === 0) {
    return accept({ applied: false, events: [], rules: [], answers: new Map() });
  }

  const rules = newRules(fresh);
  for (const { call, answer, pointer } of fresh) {
    const rule = answer.confirmed && findDenyRuleOfCall(call.name, answer.input, rules, context);
    if (!rule) continue;
    const detail = "A rule that comes with the event denies this call.";
    return refuseAnswer("denied_by_rule", detail, { pointer, tool_call_id: call.id, rule });
  }
  const answered = new Set(checked.value.map(({ call }) => call.id));
  const settled = settleByRules(state, answered, rules, context);
  const answers = new Map<string, GivenAnswer>([
    ...fresh.map(({ call, answer }) => [call.id, answer] as const),
    ...settled.answers,
  ]);
  const accepted: EventDraft = {
    type: "USER_CONFIRM_RESULT",
    reply_id: event.reply_id,
    confirm_results: fresh.map(({ call, answer }) => ({
      confirmed: answer.confirmed,
      tool_call: { ...call, input: answer.input },
      rules: answer.rules.length > 0 ? [...answer.rules] : null,
      ...(answer.reason && { reason: answer.reason }),
    })),
    metadata: acceptedMetadata(event.metadata, context.decided_by),
  };
  const effects = fresh.flatMap((each) => effectsOf(state, each));
  const events = [accepted, ...effects, ...settled.events];
  return accept({ applied: true, events, rules, answers });
}

/** Checks every answer of the event; the first refusal refuses all. */
function checkConfirmations(
  state: ReplyState,
  { reply_id, confirm_results, metadata }: EventOf<"USER_CONFIRM_RESULT">,
  context: AnswerContext,
): Result<readonly CheckedConfirmation[]> {
  const list = "#/confirm_results";
  const ids = confirm_results.map(({ tool_call }) => tool_call.id);
  const valid = checkAnswerEvent(ids, metadata, list);
  if (!valid.ok) return valid;
  const all: CheckedConfirmation[] = [];
  let room = roomForAnswer(state);
  for (const [index, result] of confirm_results.entries()) {
    const call = findCall(state, reply_id, result.tool_call.id, context.rights);
    const checked = checkConfirmation(call, result, metadata, context, `${list}/${index}`);
    if (!checked.ok) return checked;
    const { isEdited, pointer } = checked.value;
    room -= addedCharacters(checked.value);
    if (room < 0) {
      const [what, place] = isEdited ? ["an input", "tool_call/input"] : ["a reason", "reason"];
      const detail = `The reply has no room for ${what} of this size; a short one still fits.`;
      const at = { pointer: `${pointer}/${place}`, tool_call_id: result.tool_call.id };
      return refuseAnswer("body_too_large", detail, at);
    }
    all.push(checked.value);
  }
  return accept(all);
}

/** UTF-16 units that the answer adds to the message. A reason is in the result's text and in its metadata. */
function addedCharacters({ isEdited, answer, isRepeated }: CheckedConfirmation): number {
  if (isRepeated) return 0;
  if (isEdited) return answer.input.length;
  return answer.confirmed ? 0 : 2 * (answer.reason ?? "").length;
}

/** A denial adds only rules that deny or ask: an allow rule would contradict it. */
function newRules(fresh: readonly CheckedConfirmation[]): readonly PermissionRule[] {
  const taken = fresh.flatMap(({ answer }) =>
    answer.rules.filter((rule) => answer.confirmed || rule.behavior !== "allow"),
  );
  return [...new Map(taken.map((rule) => [ruleKey(rule), rule])).values()];
}

function effectsOf(
  state: ReplyState,
  { call, answer, isEdited }: CheckedConfirmation,
): readonly EventDraft[] {
  const reply_id = state.message.id;
  if (!answer.confirmed) {
    const { reason } = answer;
    const text = `A person denied the call of ${call.name}: it was not made.`;
    return refusedResult(state, call, {
      state: "denied",
      text: reason ? `${text} Their reason: ${reason}` : text,
      decision: null,
      ...(reason && { denial_reason: reason }),
    });
  }
  if (!isEdited) return [];
  const value = { reply_id, tool_call_id: call.id, input: answer.input };
  return [{ type: "CUSTOM", name: TOOL_CALL_EDITED, reply_id, value }];
}
