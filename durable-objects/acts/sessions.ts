import { sessionToolProblems } from "../../protocol/tool-groups/contract.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { SessionPatch, ReplyStart, ForkSource } from "../api/session-api.ts";
import { refusePermissionChange } from "../replies/refuse-busy.ts";
import { viewSession } from "../replies/reply-view.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { act, actorAct } from "./act.ts";
import { observeMessages, type KeptObserved, viewObserved } from "../sessions/observe.ts";
import { tellEvents, type TellRequest } from "../sessions/tell-events.ts";
import { judgedSession, type JudgedSession } from "../sessions/judged-session.ts";
import { importState, type StateImport } from "../sessions/import-state.ts";
import { replaceState, type StateReplacement } from "../sessions/replace-state.ts";
import { restoreSession, type SessionRestore } from "../sessions/restore-session.ts";
import type { Restored } from "../../protocol/sessions/restore.ts";
import { readForkSource } from "../sessions/fork-source.ts";
import type { Observed } from "../../protocol/sessions/observe.ts";
import type { AgentStateInput } from "../../protocol/sessions/session-state.ts";

/** Changes the session's settings. Resolves when they are on disk. */
async function updateSession(session: OpenSession, patch: SessionPatch): Promise<Result<Session>> {
  const { active, tables, settings, log } = session;
  const refused = refusePermissionChange(active, patch, tables.calls);
  if (refused) return refused;
  const errors = patch.tools ? sessionToolProblems(patch.tools, settings.init.agent) : [];
  if (errors.length > 0) {
    const detail = "the session's own tools do not fit beside its agent's; see `errors`";
    return refuse("validation_failed", detail, { errors: [...errors] });
  }
  settings.update(patch);
  await session.sync();
  if (log.isClosed) return refuse("not_found", "there is no such session");
  return accept(viewSession(session.init, session));
}

export const SESSION_STATE_ACTS = {
  read: act<void, Session>({
    run: (session) => accept(viewSession(session.init, session)),
  }),

  /** The session as warnings about what is written into it need it. */
  readJudged: act<void, JudgedSession>({
    run: (session) => accept(judgedSession(session)),
  }),

  /** The beginning of the first user message; null before there is one. Asked by the search index. */
  readOpening: act<void, string | null>({
    answersUnreadable: true,
    run: ({ tables }) => accept(tables.firstWords.readOpening()),
  }),

  /** Resolves when it is on disk. */
  update: act<SessionPatch, Session>({ run: updateSession }),

  /** Adds messages that start no reply; refused while a reply runs or waits. */
  observe: act<ReplyStart["input"], Observed, KeptObserved>({
    run: (session, messages, { recordResult, trace }) =>
      observeMessages(session, messages, recordResult, trace),
    async replay(session, kept) {
      await session.log.settled();
      return accept(viewObserved(session, kept));
    },
  }),

  /** Events for readers of the session, at any time, and messages as {@link observe} adds them, in one commit. */
  tell: act<TellRequest, Observed, KeptObserved>({
    run: (session, { messages, events }, { recordResult, trace }) =>
      messages === undefined
        ? tellEvents(session, events, recordResult)
        : observeMessages(session, messages, recordResult, trace, events),
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

  /** All or nothing; in the place of what the session has. */
  replaceState: actorAct<StateReplacement, StateImport>({
    run: (session, replacement, { actor }) => replaceState(session, replacement, actor),
  }),

  /** The conversation goes on from a position of the log. */
  restore: act<SessionRestore, Restored, Restored>({
    run: (session, restore, { recordResult }) => restoreSession(session, restore, recordResult),
    async replay({ log }, kept) {
      await log.settled();
      return accept(kept);
    },
  }),
} as const;
