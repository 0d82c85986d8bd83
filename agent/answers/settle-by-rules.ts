// Settles calls that ask with the rules that an answer to another call has added.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { AnswerContext, GivenAnswer } from "./answer-context.ts";
import { findDenyRuleOfCall } from "./check-confirmation.ts";
import { parseInput } from "../json/parse-input.ts";
import { checkCall } from "../permission/check-call.ts";
import { refusedResult } from "../tool-call/refused-result.ts";
import { unfinishedCalls, type ReplyState } from "../state/reply-state.ts";

const ALLOWED_BY_RULE = "A new rule allows it.";

export interface Settled {
  readonly events: readonly EventDraft[];
  /** Answers of the calls that are now allowed. Calls that a rule denies have none: no person answered them. */
  readonly answers: readonly (readonly [string, GivenAnswer])[];
}

/**
 * @param answered Calls that the same event answers.
 * @param taken The new rules.
 */
export function settleByRules(
  state: ReplyState,
  answered: ReadonlySet<string>,
  taken: readonly PermissionRule[],
  context: AnswerContext,
): Settled {
  if (taken.length === 0) return { events: [], answers: [] };
  const asking = unfinishedCalls(state).filter(
    // A rule does not answer what a hook has asked.
    (call) =>
      call.state === "asking" && !answered.has(call.id) && !state.hooks.verdicts.has(call.id),
  );
  const denials: EventDraft[] = [];
  const allowed: ToolCallBlock[] = [];
  for (const call of asking) {
    const rule = findDenyRuleOfCall(call.name, call.input, taken, context);
    if (rule) {
      const reason = "A new rule denies it.";
      const text = `The call of ${call.name} was denied. ${reason}`;
      const decision = { behavior: "deny", reason, rule } as const;
      denials.push(...refusedResult(state, call, { state: "denied", text, decision }));
    } else if (isAllowed(call, taken, context)) {
      allowed.push(call);
    }
  }
  const settling: EventDraft = {
    type: "USER_CONFIRM_RESULT",
    reply_id: state.message.id,
    confirm_results: allowed.map((call) => {
      return { confirmed: true, tool_call: call, rules: null, reason: ALLOWED_BY_RULE };
    }),
    metadata: { settled_by_rules: true, decided_by: context.decided_by },
  };
  return {
    events: allowed.length > 0 ? [settling, ...denials] : denials,
    answers: allowed.map(({ id, input }) => [
      id,
      { confirmed: true, input, rules: [], reason: null },
    ]),
  };
}

function isAllowed(
  call: ToolCallBlock,
  taken: readonly PermissionRule[],
  { permission, tools }: AnswerContext,
): boolean {
  const tool = tools.find((candidate) => candidate.name === call.name);
  const parsed = parseInput(call.input);
  if (!tool || !parsed.ok) return false;
  const rules = [...permission.rules, ...taken];
  const { behavior, rule } = checkCall({ ...permission, rules }, tool, parsed.input);
  // Only a rule replaces a person's answer: a permission mode that changed since the question does not.
  return behavior === "allow" && rule !== null;
}
