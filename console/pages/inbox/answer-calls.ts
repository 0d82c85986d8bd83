// Answers to waiting calls of any sessions, with one outcome for each call.
import {
  confirmEvent,
  toolResultEvent,
  type ConfirmAnswer,
  type Confirmation,
  type ConfirmationOutcome,
  type PendingCall,
  type Reprise,
  type ToolOutput,
} from "../../../sdk/index.ts";

export type CallAnswer =
  | { readonly call: Confirmation; readonly confirm: ConfirmAnswer }
  | { readonly call: Confirmation; readonly result: ToolOutput };

export interface CallOutcome {
  readonly call: Confirmation;
  /** Answer that was given: `approved`, `denied`, `answered`, or `signed in`. */
  readonly intent: string;
  /** `elsewhere`: the call did not wait any more. `refused`: it still waits. */
  readonly kind: "done" | "elsewhere" | "refused";
  readonly detail: string;
}

/** Answers in one request, at most: the platform's own bound. */
const MAX_ANSWERS = 100;

/**
 * Posts the answers, each as an event of its own, so that one that comes too late stops no other.
 * @param onTold Told of each request's outcomes as they arrive.
 * @throws {ApiError} when a request as a whole was refused, {ConnectionError} when it got no answer: those that came before
 *   are done.
 */
export async function answerCalls(
  reprise: Reprise,
  answers: readonly CallAnswer[],
  onTold: (outcomes: readonly CallOutcome[]) => void,
): Promise<void> {
  for (let start = 0; start < answers.length; start += MAX_ANSWERS) {
    const part = answers.slice(start, start + MAX_ANSWERS);
    const entries = part.map((answer) => ({
      session_id: answer.call.session_id,
      event: eventOf(answer),
    }));
    // One after the other: the tenant's other requests go on in between.
    const told = await reprise.confirmations.answer(entries);
    onTold(
      part.flatMap((answer, index) => {
        const outcome = told[index];
        return outcome ? [toOutcome(answer, outcome)] : [];
      }),
    );
  }
}

function eventOf(answer: CallAnswer) {
  const call = toPending(answer.call);
  return "confirm" in answer
    ? confirmEvent(answer.call.reply_id, [[call, answer.confirm]])
    : toolResultEvent(answer.call.reply_id, [[call, answer.result]]);
}

/** As the events need it. A call that was too large for the list is answered by its id and its hash. */
function toPending({ tool_call, tool_call_id, tool_name, ...call }: Confirmation): PendingCall {
  const { kind, input_hash, expires_at, suggested_rules } = call;
  const block = tool_call ?? { type: "tool_call", id: tool_call_id, name: tool_name, input: "" };
  return {
    kind,
    input_hash,
    expires_at,
    suggested_rules,
    tool_call: block as PendingCall["tool_call"],
  };
}

function toOutcome(answer: CallAnswer, outcome: ConfirmationOutcome): CallOutcome {
  const { call } = answer;
  const intent =
    "result" in answer ? "answered" : answer.confirm.confirmed === false ? "denied" : "approved";
  if (outcome.ok) return { call, intent, kind: "done", detail: intent };
  const { code, errors } = outcome.problem;
  // Of an answer that does not fit the form, the first place says what does not.
  const detail = errors?.[0]?.detail ?? outcome.problem.detail;
  const gone = GONE[code];
  return gone === undefined
    ? { call, intent, kind: "refused", detail: `not ${intent}: ${detail}` }
    : { call, intent, kind: "elsewhere", detail: gone };
}

/** Refusals that say that the call does not wait any more. */
const GONE: Readonly<Record<string, string>> = {
  confirmation_used: "answered by someone else meanwhile",
  call_not_pending: "does not wait any more: answered, expired or interrupted meanwhile",
  not_found: "its session was deleted meanwhile",
};
