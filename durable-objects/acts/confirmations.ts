// Every answer is checked here against the reply as it is at this moment, and what is accepted is written in one
// commit. Nothing in here awaits.
import {
  answerConfirmations,
  answerExternalCalls,
  type AnswerContext,
  type Answered,
  type CallJournal,
} from "../../agent/answers/answer-calls.ts";
import { type ReplyState, startReplyState } from "../../agent/state/reply-state.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import type { EventDraft, EventOf, LoggedEvent } from "../../protocol/events.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { ActiveReply } from "../replies/active-reply.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { hookedPermission } from "../settings/hooked-permission.ts";
import type { Actor } from "../api/session-api.ts";
import { addRules } from "./permission.ts";
import { sessionTools } from "../settings/session-tools.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

export type AnswerEvent = EventOf<"USER_CONFIRM_RESULT" | "EXTERNAL_EXECUTION_RESULT">;

/** Accepted answers, and what is written with them. */
export interface TakenAnswers extends Pick<Answered, "events" | "rules" | "answers"> {
  readonly actor: Actor;
  readonly trace?: TraceContext;
  /** Part of the commit; gets its first seq. */
  readonly write: (seq: number) => void;
}

/** The state of a reply, open or ended: for an ended one it distinguishes a repeated answer from one to no question. */
export function answeredState({ active, tables }: OpenSession, replyId: string): ReplyState | null {
  if (active?.id === replyId) return active.state;
  const stored = tables.replies.find(replyId) && tables.messages.ofReply(replyId);
  return stored && endedReplyState(stored.message);
}

/** {@link answeredState} for many answers: a reply is read once, however many of them name it. */
export function answeredStates(session: OpenSession): (replyId: string) => ReplyState | null {
  const states = new Map<string, ReplyState | null>();
  return (replyId) => {
    const known = states.get(replyId);
    if (known !== undefined) return known;
    const state = answeredState(session, replyId);
    states.set(replyId, state);
    return state;
  };
}

/** Checks an answer; writes nothing. @param state Of the reply that the event names; null when there is none. */
export function checkAnswer(
  session: OpenSession,
  state: ReplyState | null,
  event: AnswerEvent,
  actor: Actor,
): Result<Answered> {
  if (!state) {
    const detail = `there is no reply ${event.reply_id} in this session`;
    return refuse("call_not_pending", detail, { extensions: { state: null } });
  }
  const signIn = findSignIn(session, event);
  if (signIn !== null) {
    const detail = "the call waits for a sign-in, and takes no result but an error that ends it";
    const extensions = { state: "submitted", tool_call_id: signIn };
    return refuse("call_not_pending", detail, { extensions });
  }
  const { replyInit } = session.settings;
  const context: AnswerContext = {
    permission: hookedPermission(replyInit, session),
    tools: sessionTools(replyInit, session.tables),
    rights: actor,
    decided_by: decidedBy(actor),
    journalOf: (id) => journalOf(session, state, id),
  };
  return event.type === "USER_CONFIRM_RESULT"
    ? answerConfirmations(state, event, context)
    : answerExternalCalls(state, event, context);
}

/** The call of a result that would stand in for the one behind a sign-in; null when there is none. */
function findSignIn({ tables }: OpenSession, event: AnswerEvent): string | null {
  if (event.type !== "EXTERNAL_EXECUTION_RESULT") return null;
  const given = event.execution_results.find(
    ({ id, state }) =>
      state !== "error" && tables.calls.find(id)?.asked.authorization !== undefined,
  );
  return given?.id ?? null;
}

/** Appends what {@link checkAnswer} has accepted, with no await in between; the reply continues. */
export function takeAnswers(
  session: OpenSession,
  reply: ActiveReply,
  { events, rules, answers, actor, trace, write }: TakenAnswers,
): readonly LoggedEvent[] {
  const { tables, log } = session;
  return session.runner.answer(
    reply,
    events,
    ([first]) => {
      const seq = first?.seq ?? log.lastSeq;
      for (const [id, given] of answers) tables.calls.setAnswer(id, { ...given, seq });
      addRules(session, rules, actor);
      write(seq);
    },
    trace,
  );
}

/**
 * Joins several answers into one commit: all accepted events come before all of their effects, so that no reader of the
 * log sees the reply wait in between.
 */
export function joinAnswers(
  all: readonly Answered[],
): Pick<TakenAnswers, "events" | "rules" | "answers"> {
  const accepted = all.flatMap(({ events }): EventDraft[] => events.slice(0, 1));
  const effects = all.flatMap(({ events }): EventDraft[] => events.slice(1));
  return {
    events: [...accepted, ...effects],
    rules: all.flatMap(({ rules }) => rules),
    answers: new Map(all.flatMap(({ answers }) => [...answers])),
  };
}

/** The journal of a call. The answer's input is the call's current one, since an edit was folded into it. */
function journalOf(
  { tables }: OpenSession,
  { message }: ReplyState,
  callId: string,
): CallJournal | null {
  const journal = tables.calls.find(callId);
  const call = message.content.find(({ type, id }) => type === "tool_call" && id === callId);
  if (!journal || call?.type !== "tool_call") return null;
  const { inputHash, answer } = journal;
  return { inputHash, answer: answer && { ...answer, input: call.input } };
}

export function decidedBy({ kind, id, name }: Actor): Pick<Actor, "kind" | "id" | "name"> {
  return { kind, id, ...(name !== undefined && { name }) };
}

/** The message is complete; members that only a running reply needs have their initial values. */
function endedReplyState(message: Msg): ReplyState {
  const { id, name, role, created_at } = message;
  const start = startReplyState({
    type: "REPLY_START",
    id: "",
    session_id: "",
    reply_id: id,
    name,
    role,
    created_at,
    metadata: {},
  });
  return { ...start, message };
}
