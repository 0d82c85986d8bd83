// The answers of a run to calls of the waiting reply: all of them are accepted, or none.
import type { Answered } from "../../agent/answers/answer-calls.ts";
import { completeAnswer, type WrittenAnswer } from "../../agent/json/complete-answer.ts";
import type { OpenCall, ResolvedEntry } from "../../agent/loop/decide-run.ts";
import { answersOf, type Answers } from "../../protocol/dialects/ag-ui/input/answers-of.ts";
import { accept, refuse, type Refusal, type Result } from "../../protocol/errors.ts";
import type { ActiveReply } from "../replies/active-reply.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { Actor, RunStart } from "../api/session-api.ts";
import { refuseTooMany } from "../acts/permission.ts";
import { checkAnswer, joinAnswers, type TakenAnswers } from "../acts/confirmations.ts";

interface WaitingRun {
  readonly waiting: readonly OpenCall[];
  readonly entries: readonly ResolvedEntry[];
}

type CheckedAnswers = Pick<TakenAnswers, "events" | "rules" | "answers">;

/** Writes nothing. No events when the run answers none of the waiting calls. */
export function checkRunAnswers(
  session: OpenSession,
  reply: ActiveReply,
  { waiting, entries }: WaitingRun,
  { input, rights }: Pick<RunStart, "input" | "rights">,
  actor: Actor,
): Result<CheckedAnswers> {
  const { results } = input;
  const open = entries.filter(({ open_call_id }) => open_call_id !== null);
  const resume = open.map(({ entry }) => entry);
  const given = answersOf({ reply_id: reply.id, waiting, resume, results });
  if (!given.ok) return given;
  const forbidden = refuseRights(given.value, rights);
  if (forbidden) return forbidden;
  const { confirmations } = given.value;
  const hashes = { ...hashesOfCancelled(session, open), ...given.value.hashes };
  const events = [
    ...(confirmations.length > 0 ? [confirmationEvent(reply.id, { confirmations, hashes })] : []),
    ...(given.value.results.length > 0 ? [executionEvent(reply.id, given.value)] : []),
  ];
  const checked: Answered[] = [];
  for (const event of events) {
    const written = completeAnswer(reply.state, event);
    const answered = checkAnswer(session, reply.state, written, actor);
    if (!answered.ok) return refusalInRun(answered.refusal, resume.length > 0);
    checked.push(answered.value);
  }
  const joined = joinAnswers(checked);
  return refuseTooMany(session, joined.rules) ?? accept(joined);
}

export function confirmationEvent(
  reply_id: string,
  { confirmations, hashes }: Pick<Answers, "confirmations" | "hashes">,
): WrittenAnswer {
  const isProved = Object.keys(hashes).length > 0;
  return {
    ...FROM_RUN,
    type: "USER_CONFIRM_RESULT",
    reply_id,
    confirm_results: [...confirmations],
    metadata: isProved ? { input_hashes: hashes } : {},
  };
}

export function executionEvent(
  reply_id: string,
  { results }: Pick<Answers, "results">,
): WrittenAnswer {
  const type = "EXTERNAL_EXECUTION_RESULT";
  return { ...FROM_RUN, type, reply_id, execution_results: [...results], metadata: {} };
}

/**
 * The input hashes of cancelled calls: nothing runs, so the client need not send them, and the entry has no member for
 * them.
 */
function hashesOfCancelled(
  { tables }: OpenSession,
  open: readonly ResolvedEntry[],
): Answers["hashes"] {
  return Object.fromEntries(
    open.flatMap(({ entry, open_call_id: id }): [string, string][] => {
      const hash = id !== null && entry.status === "cancelled" && tables.calls.find(id)?.inputHash;
      return hash ? [[id, hash]] : [];
    }),
  );
}

/** Placeholders: the log sets both. */
const FROM_RUN = { id: "", created_at: "" };

/** Null when the credential may give these answers. */
export function refuseRights(
  { confirmations, results }: Pick<Answers, "confirmations" | "results">,
  { may_confirm, may_give_results }: RunStart["rights"],
): Result<never> | null {
  if (confirmations.length > 0 && !may_confirm) return refuseScope("confirmations:write");
  if (results.length > 0 && !may_give_results) return refuseScope("tool_results:write");
  return null;
}

function refuseScope(required_scope: string): Result<never> {
  const detail = `what this run answers needs the scope ${required_scope}`;
  return refuse("insufficient_scope", detail, { extensions: { required_scope } });
}

/** Converts a refusal of an answer to one of the run: its pointers, and `resume_invalid` for an invalid answer. */
export function refusalInRun(
  { code, detail, errors, extensions }: Refusal,
  isAnswer: boolean,
): Result<never> {
  const pointer = isAnswer ? "#/resume" : "#/messages";
  return refuse(code === "validation_failed" && isAnswer ? "resume_invalid" : code, detail, {
    ...(errors && { errors: errors.map((error) => ({ ...error, pointer })) }),
    extensions,
  });
}
