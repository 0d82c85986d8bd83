// The table of session acts: every operation that a request performs on an open session, or reads from it. An entry has
// the types of payload and answer, what is kept under an `Idempotency-Key`, whether it needs the actor, and the
// handler. The object's RPC method, the Worker's call and idempotency follow from it.
import type { WrittenEvent } from "../../agent/json/complete-answer.ts";
import type { ClientTokenRecord, LiveToken } from "../../protocol/client-tokens/contract.ts";
import type { Compress, Compression } from "../../protocol/context/compression.ts";
import type { ReplyDiagnostics } from "../../protocol/diagnostics/contract.ts";
import type { SessionHooks } from "../../protocol/hooks/contract.ts";
import type { SessionToolGroups } from "../../protocol/tool-groups/contract.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";
import type { SessionPlan } from "../../protocol/plans/contract.ts";
import type { Observed } from "../../protocol/sessions/observe.ts";
import type {
  Decision,
  RuleTest,
  RuleTestResult,
  SessionRule,
} from "../../protocol/permission/contract.ts";
import type { InterruptQuery, InterruptResult, Reply } from "../../protocol/replies/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { AgentStateInput } from "../../protocol/sessions/session-state.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import type { SharedState } from "../../protocol/shared-state/contract.ts";
import { accept } from "../../protocol/errors.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { addToken } from "./client-tokens.ts";
import { endSessionSignIn, type SignInEnded } from "./mcp.ts";
import { postEvent, type KeptReceipt } from "./events.ts";
import { revokeToken } from "./revoke-token.ts";
import { listDecisions, listRules, removeRule, testCall, writeRules } from "./permission.ts";
import { simulateRules, type SimulatedPart, type SimulationRequest } from "./decisions.ts";
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
import { readHooks, writeHooks, type HooksWrite } from "./hooks.ts";
import { importState, type StateImport } from "../sessions/import-state.ts";
import { compressSession, viewCompression, type KeptCompression } from "./context.ts";
import { readForkSource } from "../sessions/fork-source.ts";
import { observeMessages, viewObserved, type KeptObserved } from "../sessions/observe.ts";
import { readPlan, writePlan, type PlanPut } from "./plans.ts";
import { readToolGroups, writeToolGroups, type ToolGroupsPut } from "./tool-groups.ts";
import { patchSharedState, readSharedState } from "./shared-state.ts";
import { updateSession } from "./sessions.ts";
import {
  followReply,
  keepReply,
  leaveReply,
  type FollowedBy,
  type ReplyQuestion,
} from "../sessions/left-replies.ts";
import { findSessionServer, type SessionServer } from "../mcp/session-server.ts";
import { findNamedFiles } from "./files.ts";
import { listTokens } from "./list-tokens.ts";
import { readDiagnostics } from "./diagnostics.ts";
import { listReplies } from "../sessions/session-pages.ts";
import { viewSession } from "../replies/reply-view.ts";
import { keepForkedRun } from "../ag-ui/leave-thread.ts";
import { isKnownRun } from "../ag-ui/repeat-run.ts";
import { startRun } from "../ag-ui/start-run.ts";
import { act, actorAct } from "./act.ts";
import { interruptSession, viewInterrupt, type KeptInterrupt } from "./replies.ts";
import { viewKeptReply } from "./view-kept-reply.ts";
import { viewStartedReply } from "./view-started-reply.ts";

/** The payload without its trace and the share of who asks, which come in the options of the act. */
type Untraced<Start extends { readonly trace?: unknown }> = Omit<Start, "trace" | "share"> & {
  readonly trace?: never;
  readonly share?: never;
};

export const SESSION_ACTS = {
  read: act<void, Session>({
    run: (session) => accept(viewSession(session.init, session)),
  }),

  /** Resolves when it is on disk. */
  update: act<SessionPatch, Session>({ run: updateSession }),

  /** Resolves when `REPLY_START` is durable; the reply then runs whether its stream is read or not. Keeps its id. */
  startReply: act<Untraced<ReplyStart>, Reply, string>({
    run: (session, start, { actor, trace, recordResult }) =>
      session.queue.start({ ...start, trace, share: actor?.share }, recordResult),
    replay: viewStartedReply,
  }),

  readReply: act<ReplyQuestion, Reply>({ answersUnreadable: true, run: followReply }),

  /** A call of MCP takes the reply up again. Returns whether the reply ends when the call's client leaves. */
  keepReply: act<FollowedBy, boolean>({ run: keepReply }),

  /** The client of a call of MCP has left: the reply is interrupted soon, unless another call takes it up. */
  leaveReply: act<FollowedBy, null>({ run: leaveReply }),

  /** Why a reply failed, or what took long. */
  readDiagnostics: act<{ readonly reply_id: string }, ReplyDiagnostics>({
    answersUnreadable: true,
    run: readDiagnostics,
  }),

  /** Newest first. */
  listReplies: act<PageRequest, Page<Reply>>({ answersUnreadable: true, run: listReplies }),

  /** Resolves when `REPLY_END` is durable. Queued replies are kept by default. */
  interrupt: act<Partial<InterruptQuery>, InterruptResult, KeptInterrupt>({
    run: interruptSession,
    replay: viewInterrupt,
  }),

  /**
   * Starts an AG-UI run: a new reply, the continuation of one that waits, or a run that was started before. All or
   * nothing; resolves when it is durable. Idempotent by `run_id`.
   */
  startRun: actorAct<Untraced<RunStart>, StartedRun>({
    run: (session, start, { actor, trace }) => startRun(session, { ...start, trace }, actor),
  }),

  /** Keeps that an AG-UI run is in a fork. Returns the fork that has it. */
  keepForkedRun: act<{ readonly run_id: string; readonly session_id: string }, string>({
    run: keepForkedRun,
  }),

  /** Whether an AG-UI run is one of this session's, or of a fork of it that was asked for here. */
  knowsRun: act<string, boolean>({
    run: (session, runId) =>
      accept(isKnownRun(session, runId) || session.tables.forkedRuns.find(runId) !== null),
  }),

  /**
   * Takes an answer to a call, or an interrupt, all or nothing. Resolves when it is durable; the reply then continues
   * whether its stream is read or not.
   */
  postEvent: actorAct<WrittenEvent, EventReceipt, KeptReceipt>({
    run: (session, event, { actor, trace, recordResult }) =>
      postEvent(session, event, actor, { trace, recordResult }),
    replay: async (session, { reply_id, ...receipt }) =>
      accept({ reply: await viewKeptReply(session, reply_id), ...receipt }),
  }),

  /** A sign-in has ended: the calls that wait for it run, ask anew, or fail. Returns whether any waited. */
  endSignIn: act<SignInEnded, boolean>({ run: endSessionSignIn }),

  /** Adds messages that start no reply; refused while a reply runs or waits. */
  observe: act<ReplyStart["input"], Observed, KeptObserved>({
    run: (session, messages, { recordResult, trace }) =>
      observeMessages(session, messages, recordResult, trace),
    async replay(session, kept) {
      await session.log.settled();
      return accept(viewObserved(session, kept));
    },
  }),

  /** Reads what a fork copies. The payload is the last message's id or a seq; without it, all complete messages. */
  readForkSource: act<string | number | undefined, ForkSource>({ run: readForkSource }),

  /** All or nothing; only into a session without messages. Returns whether the session's permission has changed. */
  importState: actorAct<AgentStateInput, StateImport>({
    run: (session, state, { actor }) => importState(session, state, actor),
  }),

  /**
   * Summarises the conversation for its model. Resolves when the summary is durable, or sure to be made. Keeps its id.
   */
  compress: act<Compress, Compression, KeptCompression>({
    run: compressSession,
    replay: viewCompression,
  }),

  readHooks: act<void, SessionHooks>({ run: readHooks }),

  /** Replaces the session's own hooks. An open reply keeps those that it began with. */
  writeHooks: act<HooksWrite, SessionHooks>({ run: writeHooks }),

  readSharedState: act<void, SharedState>({ run: readSharedState }),

  /** All or nothing, also while a reply runs. Resolves when it is on disk. */
  patchSharedState: act<StatePatch, SharedState>({
    run: (session, patch, { actor }) => patchSharedState(session, patch, actor?.share),
  }),

  readPlan: act<void, SessionPlan>({ run: readPlan }),

  /** The whole plan, also while a reply runs. Resolves when it is on disk. */
  writePlan: act<PlanPut, SessionPlan>({
    run: (session, put, { actor }) => writePlan(session, put, actor?.share),
  }),

  /** An MCP server that the session's agent names. The payload is its id. */
  readMcpServer: act<string, SessionServer>({ run: findSessionServer }),

  /** The session's own tools, as the next reply has them. */
  readTools: act<void, readonly ToolDefinition[]>({
    run: ({ init }) => accept(init.tools ?? []),
  }),

  readToolGroups: act<void, SessionToolGroups>({ run: readToolGroups }),

  /** All switches, also while a reply runs. Resolves when they are on disk. */
  writeToolGroups: actorAct<ToolGroupsPut, SessionToolGroups>({
    run: (session, put, { actor }) => writeToolGroups(session, put, actor),
  }),

  /** The session's own rules, oldest first, then its agent's, which cannot be removed here. */
  listRules: act<void, readonly SessionRule[]>({
    run: (session) => accept(listRules(session)),
  }),

  addRules: actorAct<readonly PermissionRule[], readonly SessionRule[], readonly SessionRule[]>({
    run: writeRules,
    replay: (_, added) => accept(added),
  }),

  removeRule: act<string, null>({ run: removeRule }),

  /** Evaluates the permission rules for a hypothetical call. Changes nothing. */
  testCall: act<RuleTest, RuleTestResult>({ run: testCall }),

  /** Compares two permissions of an agent over the calls of the past. Changes nothing. */
  simulateRules: act<SimulationRequest, SimulatedPart>({ run: simulateRules }),

  /** The permission decisions and who made them, newest first. */
  listDecisions: act<PageRequest, Page<Decision>>({ run: listDecisions }),

  /** Registers a client token that was minted for this session, and returns its record. */
  addToken: act<ClientTokenRecord, ClientTokenRecord, ClientTokenRecord>({
    run: addToken,
    replay: (_, kept) => accept(kept),
  }),

  /** The files among these that the session's log names. Asked by the sweep. */
  findNamedFiles: act<readonly string[], readonly string[]>({
    answersUnreadable: true,
    run: findNamedFiles,
  }),

  /** Closes the streams that were opened with it. */
  revokeToken: act<string, null>({ run: revokeToken }),

  /** The valid client tokens of the session, newest first. */
  listTokens: act<PageRequest, Page<LiveToken>>({ run: listTokens }),
} as const;
