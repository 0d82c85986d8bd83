// The table of all that is done to an open session from outside, and of what is asked of it. An entry is an act's payload
// and answer, what it keeps under an `Idempotency-Key`, whether it needs to know who acts, and its handler. The object's
// RPC method, the Worker's call and the keys follow from it.
import type { WrittenEvent } from "../../agent/json/complete-answer.ts";
import type { ClientTokenRecord, LiveToken } from "../../protocol/api/client-tokens.ts";
import type { Observed } from "../../protocol/api/observe.ts";
import type {
  Decision,
  RuleTest,
  RuleTestResult,
  SessionRule,
} from "../../protocol/api/permission-rules.ts";
import type { InterruptQuery, InterruptResult, Reply } from "../../protocol/api/replies.ts";
import type { Page } from "../../protocol/api/schemas/common.ts";
import type { AgentStateInput } from "../../protocol/api/session-state.ts";
import type { Session } from "../../protocol/api/sessions.ts";
import type { SharedState } from "../../protocol/api/shared-state.ts";
import { accept } from "../../protocol/errors.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { addToken } from "../answers/add-token.ts";
import { postEvent, type KeptReceipt } from "../answers/post-event.ts";
import { revokeToken } from "../answers/revoke-token.ts";
import {
  listDecisions,
  listRules,
  removeRule,
  testCall,
  writeRules,
} from "../answers/session-permissions.ts";
import type { PageRequest } from "../api/page-requests.ts";
import type {
  EventReceipt,
  ForkSource,
  ReplyStart,
  RunStart,
  SessionPatch,
  StartedRun,
  StatePatch,
} from "../api/session-api.ts";
import { importState } from "../conversation/agent-state.ts";
import { readForkSource } from "../conversation/fork-source.ts";
import { observeMessages, viewObserved, type KeptObserved } from "../conversation/observe.ts";
import { patchSharedState, readSharedState } from "../conversation/shared-state.ts";
import { updateSession } from "../conversation/update-session.ts";
import { listTokens } from "../reading/list-tokens.ts";
import { listReplies } from "../reading/session-pages.ts";
import { viewSession } from "../reply/reply-view.ts";
import { startRun } from "../runs/start-run.ts";
import { act, actorAct } from "./act.ts";
import { interruptSession, viewInterrupt, type KeptInterrupt } from "./interrupt-session.ts";
import { viewKeptReply } from "./view-kept-reply.ts";
import { viewStartedReply } from "./view-started-reply.ts";

/** The trace comes with each act, beside its payload. */
type Untraced<Start extends { readonly trace?: unknown }> = Omit<Start, "trace"> & {
  readonly trace?: never;
};

export const SESSION_ACTS = {
  read: act<void, Session>({
    run: (session) => accept(viewSession(session.init, session)),
  }),

  /** Answers when it is on disk. */
  update: act<SessionPatch, Session>({ run: updateSession }),

  /** Answers when `REPLY_START` is durable; the reply then runs whether its stream is read or not. Keeps its id. */
  startReply: act<Untraced<ReplyStart>, Reply, string>({
    run: (session, start, { trace, recordResult }) =>
      session.control.startReply({ ...start, trace }, recordResult),
    replay: viewStartedReply,
  }),

  readReply: act<{ readonly reply_id: string; readonly wait_ms: number }, Reply>({
    answersUnreadable: true,
    run: (session, { reply_id, wait_ms }) => session.control.readReply(reply_id, wait_ms),
  }),

  /** Newest first. */
  listReplies: act<PageRequest, Page<Reply>>({ answersUnreadable: true, run: listReplies }),

  /** Answers when `REPLY_END` is durable. Queued replies are kept when it is not said. */
  interrupt: act<Partial<InterruptQuery>, InterruptResult, KeptInterrupt>({
    run: interruptSession,
    replay: viewInterrupt,
  }),

  /**
   * Begins a run of AG-UI, continues a reply that waits, or finds the run that was begun already. Whole or not at all;
   * answers when it is durable. The same `run_id` again is the same run.
   */
  startRun: actorAct<Untraced<RunStart>, StartedRun>({
    run: (session, start, { actor, trace }) => startRun(session, { ...start, trace }, actor),
  }),

  /**
   * Takes an answer to a call, or an interrupt, whole or not at all. Answers when it is durable; the reply then continues
   * whether its stream is read or not.
   */
  postEvent: actorAct<WrittenEvent, EventReceipt, KeptReceipt>({
    run: (session, event, { actor, trace, recordResult }) =>
      postEvent(session, event, actor, { trace, recordResult }),
    replay: async (session, { reply_id, ...receipt }) =>
      accept({ reply: await viewKeptReply(session, reply_id), ...receipt }),
  }),

  /** Adds messages that start no reply; refused while a reply runs or waits. */
  observe: act<ReplyStart["input"], Observed, KeptObserved>({
    run: (session, messages, { recordResult }) => observeMessages(session, messages, recordResult),
    async replay(session, kept) {
      await session.log.settled();
      return accept(viewObserved(session, kept));
    },
  }),

  /** What a fork of the session is made of. The payload is a message's id or a seq; without it all that is complete. */
  readForkSource: act<string | number | undefined, ForkSource>({ run: readForkSource }),

  /** Whole or not at all; into a session without messages only. Answers with whether its permission has changed. */
  importState: actorAct<AgentStateInput, boolean>({
    run: (session, state, { actor }) => importState(session, state, actor),
  }),

  readSharedState: act<void, SharedState>({ run: readSharedState }),

  /** Whole or not at all, also while a reply runs. Answers when it is on disk. */
  patchSharedState: act<StatePatch, SharedState>({ run: patchSharedState }),

  /** The session's own rules, oldest first, then its agent's, which cannot be removed here. */
  listRules: act<void, readonly SessionRule[]>({
    run: (session) => accept(listRules(session)),
  }),

  addRules: actorAct<readonly PermissionRule[], readonly SessionRule[], readonly SessionRule[]>({
    run: writeRules,
    replay: (_, added) => accept(added),
  }),

  removeRule: act<string, null>({ run: removeRule }),

  /** Which decision a call would get now, and by which rule. Changes nothing. */
  testCall: act<RuleTest, RuleTestResult>({ run: testCall }),

  /** Who decided what, newest first. */
  listDecisions: act<PageRequest, Page<Decision>>({ run: listDecisions }),

  /** Remembers a client token that was minted for this session. Answers with the one that is remembered. */
  addToken: act<ClientTokenRecord, ClientTokenRecord, ClientTokenRecord>({
    run: addToken,
    replay: (_, kept) => accept(kept),
  }),

  /** Closes the streams that were opened with it. */
  revokeToken: act<string, null>({ run: revokeToken }),

  /** The tokens that open the session now, newest first. */
  listTokens: act<PageRequest, Page<LiveToken>>({ run: listTokens }),
} as const;
