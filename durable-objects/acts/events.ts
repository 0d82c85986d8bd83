// Takes an event that a client posts: an answer, or an interrupt. An answer is checked against the reply's state and
// written in one transaction, with no await in between, so that of two concurrent answers one is first; then the reply
// continues.
import { expireCalls, type Answered } from "../../agent/answers/answer-calls.ts";
import {
  completeAnswer,
  type WrittenAnswer,
  type WrittenEvent,
} from "../../agent/json/complete-answer.ts";
import { acceptedMetadata } from "../../agent/answers/answer-refusal.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import { withoutClientMessageId } from "../../protocol/dialects/ag-ui/wire/result-message.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { EventOf } from "../../protocol/events.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { RecordResult } from "../tables/once.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { pendingCalls, viewActiveReply } from "../replies/reply-view.ts";
import type { Actor, EventReceipt, Idempotency } from "../api/session-api.ts";
import { refuseTooMany } from "./permission.ts";
import { shownCalls } from "../replies/shown-calls.ts";
import {
  answeredState,
  checkAnswer,
  decidedBy,
  takeAnswers,
  type AnswerEvent,
} from "./confirmations.ts";
import { actorAct } from "./act.ts";
import { CALLER_ENDED, findAsking, handDown } from "./hand-down.ts";
import { viewKeptReply } from "./replies.ts";

const GONE = refuse("not_found", "there is no such session");

/** The value kept under the idempotency key: a repeated receipt is built from it, with the reply's current state. */
export interface KeptReceipt extends Omit<EventReceipt, "reply"> {
  /** Null when there was no such reply. */
  readonly reply_id: string | null;
}

interface PostOptions {
  readonly trace?: TraceContext;
  readonly idempotency?: Idempotency | undefined;
  readonly recordResult?: RecordResult<KeptReceipt>;
}

export async function postEvent(
  session: OpenSession,
  event: WrittenEvent,
  actor: Actor,
  { trace, idempotency, recordResult = () => undefined }: PostOptions = {},
): Promise<Result<EventReceipt>> {
  if (session.log.isClosed) return GONE;
  // The alarm may be late: a call whose time is over takes no answer.
  expireDueCalls(session);
  switch (event.type) {
    case "USER_INTERRUPT":
      return interruptBy(session, event, actor, recordResult);
    case "USER_CONFIRM_RESULT":
    case "EXTERNAL_EXECUTION_RESULT": {
      // An address for some calls is for those of this session: models number theirs from one in each.
      const asking = actor.tool_call_ids ? null : findAsking(session, event.reply_id);
      return asking
        ? handDown(session, asking, event, { actor, trace, idempotency })
        : takeAnswer(session, event, actor, { trace, recordResult });
    }
    default:
      return event satisfies never;
  }
}

/** Ends the calls whose waiting time is over, in one commit; the reply continues. Does nothing when there are none. */
export function expireDueCalls(session: OpenSession): void {
  const { tables, openReply } = session;
  const ids = tables.timers
    .due(Date.now())
    .filter(({ kind }) => kind === "expiry")
    .map(({ id }) => id);
  if (ids.length === 0) return;
  const clear = () => ids.forEach((id) => tables.timers.clear({ kind: "expiry", id }));
  const drafts = openReply ? expireCalls(openReply.state, ids, (id) => isSignIn(session, id)) : [];
  if (openReply && drafts.length > 0) session.runner.answer(openReply, drafts, clear);
  else clear();
}

function isSignIn({ tables }: OpenSession, toolCallId: string): boolean {
  return tables.calls.find(toolCallId)?.asked.authorization !== undefined;
}

async function interruptBy(
  session: OpenSession,
  event: EventOf<"USER_INTERRUPT">,
  actor: Actor,
  recordResult: RecordResult<KeptReceipt>,
): Promise<Result<EventReceipt>> {
  const { type, reply_id } = event;
  const metadata = acceptedMetadata(event.metadata, decidedBy(actor));
  const accepted = [{ type, reply_id, metadata }];
  const { queue } = session.tables;
  if (queue.find(reply_id)?.status === "running") {
    const cursor = session.log.visibleSeq;
    session.transaction(() => {
      queue.interrupt(reply_id, accepted);
      recordResult({ reply_id, cursor, applied: true });
    });
    // When no reply is open, the queued one ends now.
    await session.queue.beginQueued();
    const found = await session.queue.read(reply_id, 0);
    if (session.log.isClosed) return GONE;
    return accept({ reply: found.ok ? found.value : null, cursor, applied: true });
  }
  // A late interrupt must not end the reply after the one that it names.
  if (session.openReply?.id !== event.reply_id) {
    await session.log.settled();
    const found = await session.queue.read(reply_id, 0);
    if (session.log.isClosed) return GONE;
    const cursor = session.log.visibleSeq;
    recordResult({ reply_id: found.ok ? reply_id : null, cursor, applied: false });
    return accept({ reply: found.ok ? found.value : null, cursor, applied: false });
  }
  const { interrupted, reply, cursor } = await session.runner.interrupt(
    accepted,
    ([first]) => recordResult({ reply_id, cursor: (first?.seq ?? 1) - 1, applied: true }),
    { isByUser: true },
  );
  return session.log.isClosed ? GONE : accept({ reply, cursor, applied: interrupted });
}

async function takeAnswer(
  session: OpenSession,
  written: WrittenAnswer,
  actor: Actor,
  { trace, recordResult }: Required<Pick<PostOptions, "recordResult">> & PostOptions,
): Promise<Result<EventReceipt>> {
  const { log } = session;
  const state = answeredState(session, written.reply_id);
  const event = completeAnswer(state, asPosted(written));
  const answered = checkAnswer(session, state, event, actor);
  if (!answered.ok) return withReply(session, event.reply_id, actor, answered);
  const { applied } = answered.value;
  const tooMany = refuseTooMany(session, answered.value.rules);
  if (tooMany) return tooMany;
  const reply = session.openReply;
  if (reply?.id !== event.reply_id) throw new Error("an answer was taken by no open reply");
  let cursor = earlierSeq(session, event) - 1;
  if (!applied) recordResult({ reply_id: reply.id, cursor, applied });
  else {
    const write = (seq: number) => recordResult({ reply_id: reply.id, cursor: seq - 1, applied });
    const [accepted] = takeAnswers(session, reply, { ...answered.value, actor, trace, write });
    cursor = (accepted?.seq ?? 1) - 1;
  }
  await log.settled();
  return log.isClosed ? GONE : accept({ reply: viewActiveReply(session, reply), cursor, applied });
}

/** Removes an AG-UI message id from posted results: only a run's results have such a message. */
function asPosted(written: WrittenAnswer): WrittenAnswer {
  if (written.type !== "EXTERNAL_EXECUTION_RESULT") return written;
  const execution_results = written.execution_results.map((result) => {
    return { ...result, metadata: withoutClientMessageId(result.metadata) };
  });
  return { ...written, execution_results };
}

/** Adds the reply's status, and the pending calls that the actor may know, to a refusal that is due to them. */
function withReply(
  session: OpenSession,
  replyId: string,
  { tool_call_ids }: Actor,
  { refusal }: Extract<Result<Answered>, { ok: false }>,
): Result<never> {
  if (refusal.code !== "call_not_pending" && refusal.code !== "confirmation_used") {
    return { ok: false, refusal };
  }
  const { openReply, tables } = session;
  const status = statusOf(session, replyId);
  // The call has begun the first reply; later ones are of others.
  const isOfCall = tables.replies.from(null, 1)[0]?.id === replyId;
  const isCallerOver = isOfCall && session.init.parent?.is_over && status === "interrupted";
  const isCancelled = refusal.code === "call_not_pending" && isCallerOver;
  const pending = openReply ? pendingCalls(openReply.state.message, tables.calls) : [];
  const extensions = {
    ...refusal.extensions,
    reply: status && { id: replyId, status },
    pending: shownCalls(
      tool_call_ids
        ? pending.filter(({ tool_call }) => tool_call_ids.includes(tool_call.id))
        : pending,
    ),
  };
  const detail = isCancelled ? CALLER_ENDED : refusal.detail;
  return { ok: false, refusal: { ...refusal, detail, extensions } };
}

function statusOf({ active, tables }: OpenSession, replyId: string): ReplyStatus | null {
  if (active?.id === replyId) return active.status;
  return tables.replies.find(replyId)?.status ?? null;
}

/** The seq of the same answer that was given before; the next seq when there was none. */
function earlierSeq({ tables, log }: OpenSession, event: AnswerEvent): number {
  const ids =
    event.type === "USER_CONFIRM_RESULT"
      ? event.confirm_results.map(({ tool_call }) => tool_call.id)
      : event.execution_results.map(({ id }) => id);
  const seqs = ids.map((id) => tables.calls.find(id)?.answer?.seq ?? log.lastSeq + 1);
  return Math.min(...seqs, log.lastSeq + 1);
}

export const EVENT_ACTS = {
  /**
   * Takes an answer to a call, or an interrupt, all or nothing. Resolves when it is durable; the reply then continues
   * whether its stream is read or not.
   */
  postEvent: actorAct<WrittenEvent, EventReceipt, KeptReceipt>({
    run: (session, event, { actor, trace, idempotency, recordResult }) =>
      postEvent(session, event, actor, { trace, idempotency, recordResult }),
    replay: async (session, { reply_id, ...receipt }) =>
      accept({ reply: await viewKeptReply(session, reply_id), ...receipt }),
  }),
} as const;
