// Answers the calls of a replay that ask: with what a person has answered to the same call in the record, else as the
// request assumes.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { answerConfirmations } from "../answers/answer-confirmations.ts";
import type { AnswerRights } from "../answers/answer-context.ts";
import type { PermissionSettings } from "../permission/check-call.ts";
import type { StopSignal, ToolDeclaration } from "../ports.ts";
import { unfinishedCalls } from "../state/reply-state.ts";
import type { RecordedAnswer } from "./recorded-calls.ts";
import { readText, type Recording } from "./recording.ts";
import type { ReplayLog } from "./replay-log.ts";

/** `stop` ends the replay at a call whose answer the record does not have. */
export type Assumption = "deny" | "allow" | "stop";

export interface ReplayedQuestion {
  /** Null where the replay has stopped at it, or a rule has settled it. */
  readonly answered_by: "recording" | "assumption" | null;
  readonly confirmed: boolean | null;
}

interface Questions {
  /** The recorded reply. */
  readonly reply_id: string;
  readonly log: ReplayLog;
  readonly recording: Recording;
  readonly assume: Assumption;
  readonly tools: readonly ToolDeclaration[];
  readonly permission: () => PermissionSettings;
  readonly addedRules: PermissionRule[];
  /** By call id; filled here. */
  readonly questions: Map<string, ReplayedQuestion>;
  readonly stop: StopSignal;
  readonly end: (stopped: {
    readonly reason: "confirmation_required";
    readonly tool_call_id: string;
  }) => void;
}

/** The record's answers were given with the rights that they needed; they are checked against the new agent alone. */
const RIGHTS: AnswerRights = {
  may_write_rules: true,
  may_take_rules: true,
  may_edit: true,
  must_prove_input: false,
};

const DENIED = "In this replay nobody was there to confirm it.";

/** One after the other, since an answer with rules may settle others; none after the replay was stopped. */
export function answerQuestions(asked: Questions): void {
  const { log, questions, stop } = asked;
  for (const { id } of askingCalls(log)) questions.set(id, { answered_by: null, confirmed: null });
  for (let call = askingCalls(log)[0]; call && !stop.aborted; call = askingCalls(log)[0]) {
    if (!answer(asked, call)) asked.end({ reason: "confirmation_required", tool_call_id: call.id });
  }
}

/** @returns False when the record has no answer that fits, and none is assumed. */
function answer(asked: Questions, call: ToolCallBlock): boolean {
  const { recording, reply_id, assume, questions } = asked;
  const input = readText(call.input);
  const { name } = call;
  const recorded = input && recording.takeAnswer({ reply_id, name, input: input.value });
  if (recorded && give(asked, call, recorded)) {
    questions.set(call.id, { answered_by: "recording", confirmed: recorded.confirmed });
    return true;
  }
  if (assume === "stop") return false;
  const confirmed = assume === "allow";
  const assumed = { confirmed, input: call.input, rules: [], reason: confirmed ? null : DENIED };
  if (!give(asked, call, assumed)) return false;
  questions.set(call.id, { answered_by: "assumption", confirmed });
  return true;
}

/** @returns Whether the agent takes it: an edit has to fit its schema, and its rules may deny the call. */
function give(
  { log, tools, permission, addedRules }: Questions,
  call: ToolCallBlock,
  { confirmed, input, rules, reason }: RecordedAnswer,
): boolean {
  const answered = answerConfirmations(
    log.state,
    {
      id: "",
      created_at: call.created_at,
      visibility: "user",
      type: "USER_CONFIRM_RESULT",
      reply_id: log.state.message.id,
      confirm_results: [
        {
          confirmed,
          tool_call: { ...call, input: confirmed ? input : call.input },
          rules: [...rules],
          ...(reason !== null && { reason }),
        },
      ],
      metadata: {},
    },
    {
      permission: permission(),
      tools,
      rights: RIGHTS,
      decided_by: { kind: "platform", id: "replay" },
      journalOf: () => ({ inputHash: null, answer: null }),
    },
  );
  if (!answered.ok || !answered.value.applied) return false;
  log.append(answered.value.events satisfies readonly EventDraft[]);
  addedRules.push(...answered.value.rules);
  return true;
}

function askingCalls(log: ReplayLog): readonly ToolCallBlock[] {
  return unfinishedCalls(log.state).filter(({ state }) => state === "asking");
}
