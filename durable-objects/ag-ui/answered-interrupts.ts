// Interrupts that were answered before: in another tab, through a webhook, or by the same client, whose response was
// lost. The same answer again changes nothing; a different one is too late.
import { completeAnswer } from "../../agent/json/complete-answer.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import { answersOf, type AnswerableCall } from "../../protocol/dialects/ag-ui/input/answers-of.ts";
import { parseInterruptId } from "../../protocol/dialects/ag-ui/runs/interrupt-id.ts";
import type { ResumeEntry, RunInput } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { confirmationEvent, executionEvent } from "./run-answers.ts";
import type { Actor } from "../api/session-api.ts";
import { answeredStates, checkAnswer, type AnswerEvent } from "../acts/confirmations.ts";

/** The position in the log of an answer that was given before. */
export interface EarlierAnswer {
  readonly reply_id: string;
  readonly seq: number;
}

/**
 * The seqs of the earlier answers, or the first refusal. @param entries Those whose call does not wait for them.
 * @param results Of the same run: the payload of an entry without a payload of its own.
 */
export function findEarlierAnswers(
  session: OpenSession,
  entries: readonly ResumeEntry[],
  results: RunInput["results"],
  actor: Actor,
): Result<readonly EarlierAnswer[]> {
  const found: EarlierAnswer[] = [];
  const stateOf = answeredStates(session);
  for (const entry of entries) {
    const named = parseInterruptId(entry.interrupt_id);
    const state = named && stateOf(named.reply_id);
    const earlier =
      named && state && findEarlier(session, state, { entry, results, ...named }, actor);
    if (!earlier) return refuse("interrupt_unknown", `there is no ${entry.interrupt_id}`);
    if (!earlier.ok) return earlier;
    found.push({ reply_id: named.reply_id, seq: earlier.value });
  }
  return accept(found);
}

/** Whether the entry confirms or denies the call, rather than giving its result: the interrupt has one id for both. */
export function answersQuestion(
  { tables }: OpenSession,
  { status, payload }: ResumeEntry,
  callId: string,
): boolean {
  const asked = tables.calls.find(callId);
  if (!asked?.inputHash && !asked?.answer) return false;
  if (status === "cancelled" || typeof payload !== "object" || payload === null) return false;
  return Object.hasOwn(payload, "approved") && !Object.hasOwn(payload, "output");
}

interface Named {
  readonly entry: ResumeEntry;
  readonly results: RunInput["results"];
  readonly reply_id: string;
  readonly call_id: string;
}

/** @returns The seq of the event that answered it. */
function findEarlier(
  session: OpenSession,
  state: ReplyState,
  { entry, results, reply_id, call_id }: Named,
  actor: Actor,
): Result<number> | null {
  const { content } = state.message;
  const call = content.find(({ type, id }) => type === "tool_call" && id === call_id);
  const journal = session.tables.calls.find(call_id);
  if (call?.type !== "tool_call" || !journal) return null;
  const kind = kindOf(session, entry, call_id);
  const isUnanswered = kind === "permission" ? !journal.answer : hasFailed(state, call_id);
  // The call has expired, or its reply has ended: cancelling it is accepted, and changes nothing.
  if (entry.status === "cancelled" && call.state === "finished" && isUnanswered) {
    return accept(journal.seq);
  }
  const asked: AnswerableCall = { id: call_id, name: call.name, kind };
  const answers = answersOf({ reply_id, waiting: [asked], resume: [entry], results });
  if (!answers.ok) return answers;
  const event =
    kind === "permission"
      ? confirmationEvent(reply_id, answers.value)
      : executionEvent(reply_id, answers.value);
  const repeated = withRulesOf(journal.answer?.rules ?? [], completeAnswer(state, event));
  const checked = checkAnswer(session, state, repeated, actor);
  const isSame = checked.ok
    ? !checked.value.applied
    : checked.refusal.extensions?.["same_answer"] === true;
  if (isSame) return accept((kind === "permission" && journal.answer?.seq) || journal.seq);
  if (!checked.ok) {
    const { code, detail, extensions } = checked.refusal;
    return refuse(code, detail, { errors: [{ pointer: entry.pointer, detail }], extensions });
  }
  return refuse("call_not_pending", "the call does not wait for this answer");
}

/** An answer without rules counts as repeating the first answer with its rules. */
function withRulesOf(given: readonly PermissionRule[], event: AnswerEvent): AnswerEvent {
  if (event.type !== "USER_CONFIRM_RESULT") return event;
  const confirm_results = event.confirm_results.map((result) => {
    const isSilent = (result.rules ?? []).length === 0;
    return isSilent ? { ...result, rules: [...given] } : result;
  });
  return { ...event, confirm_results };
}

/** The question that the entry answers. A call that needed a confirmation may need an external result later. */
function kindOf(session: OpenSession, entry: ResumeEntry, callId: string): AnswerableCall["kind"] {
  const { answer, inputHash } = session.tables.calls.find(callId) ?? {};
  if (!answer && !inputHash) return "external_result";
  const isCancelled = entry.status === "cancelled";
  return isCancelled || answersQuestion(session, entry, callId) ? "permission" : "external_result";
}

function hasFailed({ message }: ReplyState, callId: string): boolean {
  return message.content.some(
    (block) => block.type === "tool_result" && block.id === callId && block.state !== "success",
  );
}
