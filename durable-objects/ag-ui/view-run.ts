// Compares a run's input with the session: what of it is new, known or answered. Read only; never awaits.
import type { OpenCall, RunView, ResolvedEntry } from "../../agent/loop/decide-run.ts";
import { parseInterruptId } from "../../protocol/dialects/ag-ui/runs/interrupt-id.ts";
import type { ResumeEntry, RunInput } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { declareTools } from "../../tools/tool-runner.ts";
import type { ActiveReply } from "../replies/active-reply.ts";
import { calledQuestions, matchCalled } from "./called-questions.ts";
import { answersQuestion } from "./answered-interrupts.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { inputMessages } from "../tables/reply-input.ts";
import { findQueuedMessage } from "../replies/find-queued-message.ts";
import { pendingCalls } from "../replies/reply-view.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { answeredStates } from "../acts/confirmations.ts";

export interface ViewedRun extends RunView {
  /** Messages that the session does not have, each id once. */
  readonly fresh: readonly Msg[];
  /** The id of the last message, if it is in the session and no reply has answered it yet. */
  readonly unclaimed: readonly string[];
  readonly waiting: readonly OpenCall[];
}

/** @param made The messages that earlier looks at the same input have made of it. */
export function viewRun(
  session: OpenSession,
  input: RunInput,
  made: Map<RunInput["messages"][number], Msg>,
): ViewedRun {
  const { openReply } = session;
  const own = openReply ? waitingCalls(session, openReply) : [];
  const waiting = openReply ? [...own, ...calledQuestions(session, openReply.id)] : [];
  const fresh = freshMessages(session, input, made);
  const newestId = input.messages.at(-1)?.id;
  const newest = newestId === undefined ? null : session.findMessage(newestId);
  const isUnanswered = newest?.reply_id === null && isLastMessage(session, newest.message.id);
  const stateOf = answeredStates(session);
  return {
    open: openReply && { id: openReply.id, is_running: openReply.isRunning, waiting },
    entries: input.resume.map((entry) => matchEntry(session, entry, { waiting, stateOf })),
    result_ids: new Set(input.results.map(({ tool_call_id }) => tool_call_id)),
    has_new_messages: fresh.length > 0,
    is_unanswered: isUnanswered,
    known_reply_id: newest?.reply_id ?? null,
    fresh,
    unclaimed: newest && isUnanswered ? [newest.message.id] : [],
    waiting,
  };
}

/** The waiting calls. One that waits for a result and is of no tool of the agent's is a call of a client's tool. */
function waitingCalls({ settings, tables }: OpenSession, reply: ActiveReply): readonly OpenCall[] {
  const own = new Set(
    declareTools({ ...equippedAgent(settings.replyInit), mcp: tables.mcp }).map(({ name }) => name),
  );
  return pendingCalls(reply.state.message, tables.calls).map(({ kind, tool_call }) => {
    const { id, name } = tool_call;
    return { id, name, kind, is_client: kind === "external_result" && !own.has(name) };
  });
}

/**
 * The messages with unknown ids. A known id is ignored, even if the client has changed its content, and so is that of a
 * message that a restore has taken out: but for the newest, which is asked again.
 */
function freshMessages(
  session: OpenSession,
  { messages }: RunInput,
  made: Map<RunInput["messages"][number], Msg>,
): readonly Msg[] {
  const ids = messages.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const known = session.tables.messages.known(ids);
  const newestId = ids.at(-1);
  const isKnown = (id: string) =>
    known.has(id) && (id !== newestId || session.tables.messages.findPlace(id) !== null);
  const unknown = new Map(
    messages
      .filter(({ id }) => id !== undefined && !isKnown(id) && !isActingOn(session, id))
      .map((message) => [message.id, message]),
  );
  const unmade = [...unknown.values()].filter((message) => !made.has(message));
  const messagesMade = inputMessages(unmade, {
    newMessageId: () => session.newId("msg"),
    created_at: new Date().toISOString(),
  });
  for (const [index, message] of messagesMade.entries()) {
    const input = unmade[index];
    if (input) made.set(input, message);
  }
  return [...unknown.values()].flatMap((message) => made.get(message) ?? []);
}

/** Whether the id is that of the current reply, or of a queued one or its input. */
function isActingOn(session: OpenSession, id: string): boolean {
  return session.active?.id === id || findQueuedMessage(session, id) !== null;
}

function isLastMessage({ tables }: OpenSession, id: string): boolean {
  const [last] = tables.messages.before(Infinity);
  return last?.item.message.id === id;
}

interface EntryContext {
  readonly waiting: readonly OpenCall[];
  readonly stateOf: ReturnType<typeof answeredStates>;
}

function matchEntry(
  session: OpenSession,
  entry: ResumeEntry,
  { waiting, stateOf }: EntryContext,
): ResolvedEntry {
  const called = matchCalled(session, entry, waiting);
  if (called) return called;
  const named = parseInterruptId(entry.interrupt_id);
  if (!named) return { entry, open_call_id: null, is_known: false };
  const open = session.openReply?.id === named.reply_id ? waiting : [];
  const call = open.find(({ id }) => id === named.call_id);
  // A confirmed call may wait for its result now: the repeated confirmation is not that result.
  const isOpen =
    call !== undefined &&
    (call.kind === "permission" || !answersQuestion(session, entry, named.call_id));
  if (isOpen) return { entry, open_call_id: named.call_id, is_known: true };
  const state = stateOf(named.reply_id);
  const is_known =
    state?.message.content.some(({ type, id }) => type === "tool_call" && id === named.call_id) ??
    false;
  return { entry, open_call_id: null, is_known };
}
