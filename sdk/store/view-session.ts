// From the conversation and what this store has under way to the state that is shown.
import { shownMessages, type ConversationState } from "./conversation.ts";
import type {
  CalledAgent,
  OutgoingMessage,
  SessionError,
  SessionState,
  SessionViewStatus,
} from "./session-state.ts";
import {
  allWaitingCalls,
  hasRunningCall,
  waitingCalls,
  type AnswerFates,
} from "./waiting-calls.ts";

export interface SessionParts {
  /** Null until it was read. */
  readonly conversation: ConversationState | null;
  readonly outgoing: readonly OutgoingMessage[];
  readonly answers: AnswerFates;
  readonly calledAgents: readonly CalledAgent[];
  readonly isLoadingOlder: boolean;
  /** Whether the last try to reach the platform failed. */
  readonly isConnectionLost: boolean;
  readonly isOffline: boolean;
  readonly error: SessionError | null;
}

export const INITIAL_STATE: SessionState = {
  status: "loading",
  messages: [],
  hasOlder: false,
  isLoadingOlder: false,
  outgoing: [],
  pendingCalls: [],
  calledAgents: [],
  progress: new Map(),
  replyId: null,
  queuedReplyIds: [],
  error: null,
};

/** @param before The state of the last time; it is returned itself when nothing that is shown has changed. */
export function viewSession(parts: SessionParts, before: SessionState): SessionState {
  const { conversation, outgoing, answers, isLoadingOlder, error } = parts;
  const pendingCalls = conversation
    ? waitingCalls(conversation, answers, before.pendingCalls)
    : before.pendingCalls;
  const { replyId = null, queuedReplyIds = [], progress = before.progress } = conversation ?? {};
  const next: SessionState = {
    status: statusOf(parts, pendingCalls),
    messages: sameList(messagesOf(parts), before.messages),
    hasOlder: (conversation?.olderPage ?? null) !== null,
    isLoadingOlder,
    outgoing: sameList(outgoing, before.outgoing),
    pendingCalls,
    calledAgents: parts.calledAgents,
    progress: progress.size === 0 && before.progress.size === 0 ? before.progress : progress,
    replyId,
    // With no reply open the first of them begins in a moment.
    queuedReplyIds: sameList(
      replyId === null ? queuedReplyIds.slice(1) : queuedReplyIds,
      before.queuedReplyIds,
    ),
    error,
  };
  const names = Object.keys(next) as (keyof SessionState)[];
  return names.every((name) => next[name] === before[name]) ? before : next;
}

function messagesOf({ conversation, outgoing }: SessionParts): SessionState["messages"] {
  const shown = conversation ? shownMessages(conversation) : [];
  return outgoing.length === 0 ? shown : [...shown, ...outgoing.map(({ message }) => message)];
}

function statusOf(
  { conversation, outgoing, calledAgents, isConnectionLost, isOffline, error }: SessionParts,
  pendingCalls: SessionState["pendingCalls"],
): SessionViewStatus {
  if (error) return "error";
  if (isOffline) return "offline";
  if (isConnectionLost) return "reconnecting";
  if (!conversation) return "loading";
  const { live, replyId } = conversation;
  if (replyId !== null) {
    const asked = allWaitingCalls({ pendingCalls, calledAgents });
    const isWaiting = asked.some(({ isAnswering }) => !isAnswering);
    const isAnswered = asked.some(({ isAnswering }) => isAnswering);
    const held = heldCalls(calledAgents);
    const isRunning = isAnswered || (live !== null && hasRunningCall(live.message, held));
    return isWaiting && !isRunning ? "waiting" : "running";
  }
  // Also while the messages are of an earlier moment than what is known to run.
  const isComing =
    conversation.queuedReplyIds.length > 0 || conversation.cursor < conversation.controlledTo;
  return isComing || outgoing.some(({ state }) => state !== "failed") ? "running" : "idle";
}

/** The reply's own calls whose agents wait. */
function heldCalls(agents: readonly CalledAgent[]): readonly string[] {
  const called = new Set(agents.map(({ sessionId }) => sessionId));
  return agents.flatMap(({ status, parentSessionId, toolCallId }) =>
    status === "waiting" && !called.has(parentSessionId) ? [toolCallId] : [],
  );
}

/** The old list when the new one has the same items. */
function sameList<Item>(next: readonly Item[], before: readonly Item[]): readonly Item[] {
  const isSame =
    next.length === before.length && next.every((item, index) => item === before[index]);
  return isSame ? before : next;
}
