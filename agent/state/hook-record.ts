// Answers of hooks in a reply, as a fold of its `hook_answered` events: a request whose answer is here is not sent
// again.
import type { HookAnsweredValue } from "../../protocol/hooks/events.ts";

export interface HookRecord {
  /** By the id of the request. */
  readonly answers: ReadonlyMap<string, HookAnsweredValue>;
  /** The answer that ends the reply: of a hook that stops it, or of one that failed and is `closed`. */
  readonly end: HookAnsweredValue | null;
  /** By call id, the answer of a `pre_acting` hook by which the call does not run, or runs only after a question. */
  readonly verdicts: ReadonlyMap<string, HookAnsweredValue>;
  /** Ids of the blocks that hooks have added to the message. */
  readonly added: ReadonlySet<string>;
}

export const NO_HOOKS: HookRecord = {
  answers: new Map(),
  end: null,
  verdicts: new Map(),
  added: new Set(),
};

/** Pure. @param value Of a `hook_answered` of this reply; one that is not ours has no id and changes nothing. */
export function advanceHooks(
  record: HookRecord,
  value: Readonly<Record<string, unknown>>,
): HookRecord {
  if (typeof value["id"] !== "string" || typeof value["outcome"] !== "string") return record;
  const answer = value as unknown as HookAnsweredValue;
  const answers = new Map(record.answers).set(answer.id, answer);
  const isEnd = answer.outcome === "stopped" || isClosedFailure(answer) || blocksReply(answer);
  const isVerdict = answer.point === "pre_acting" && (answer.outcome === "blocked" || answer.asks);
  return {
    answers,
    end: record.end ?? (isEnd ? answer : null),
    verdicts:
      isVerdict && answer.step !== null
        ? withVerdict(record.verdicts, answer.step, answer)
        : record.verdicts,
    added: withAdded(record.added, answer),
  };
}

/** Whether a `pre_acting` hook has answered about the call. */
export function isCallShown({ answers }: HookRecord, callId: string): boolean {
  return [...answers.values()].some(({ point, step }) => point === "pre_acting" && step === callId);
}

export function isClosedFailure({ outcome, failure }: HookAnsweredValue): boolean {
  return outcome === "failed" && failure?.on_failure === "closed";
}

/** Without its model call a reply has nothing to continue with. */
function blocksReply({ outcome, point }: HookAnsweredValue): boolean {
  return outcome === "blocked" && (point === "pre_reply" || point === "pre_model_call");
}

function withAdded(added: HookRecord["added"], { change }: HookAnsweredValue): HookRecord["added"] {
  return change?.added ? new Set([...added, ...change.added.map(({ id }) => id)]) : added;
}

/** A denial stays, whatever a later hook asks for. */
function withVerdict(
  verdicts: HookRecord["verdicts"],
  callId: string,
  answer: HookAnsweredValue,
): HookRecord["verdicts"] {
  if (verdicts.get(callId)?.outcome === "blocked") return verdicts;
  return new Map(verdicts).set(callId, answer);
}
