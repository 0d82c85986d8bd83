// Acts of a calling session and of the sessions that it has called on one another, which no request can ask for.
import {
  addUsage,
  answerOf,
  isAtWork,
  type SubagentAnswer,
} from "../../agent/agents/subagent-answer.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import type {
  CalledEvents,
  CallerNote,
  ReadCalledEvents,
  StartCalled,
} from "../api/called-session-api.ts";
import { readCalledEvents } from "../replies/read-called-events.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { act } from "./act.ts";

async function readCalled(
  session: OpenSession,
  { message_id }: { readonly message_id: string },
): Promise<Result<SubagentAnswer>> {
  const { tables, queue } = session;
  const replyId = session.findMessage(message_id)?.reply_id ?? null;
  if (replyId === null) return refuse("not_found", "no reply has begun with this message");
  const found = await queue.read(replyId, 0);
  if (!found.ok) return found;
  const { status, message, error, usage } = found.value;
  const cost = usage && tables.diagnostics.costOf(replyId, usage);
  const own = {
    input_tokens: usage?.input_tokens ?? 0,
    output_tokens: usage?.output_tokens ?? 0,
    cost_usd: usage === null ? 0 : cost === null ? null : cost / NANODOLLARS,
  };
  const below = tables.calls.children.of(replyId).map((child) => child.usage);
  const text = message && !isAtWork(status) ? answerOf(message) : "";
  return accept({ reply_id: replyId, status, text, error, usage: addUsage([own, ...below]) });
}

/** Whether the call has its result, or never was: what its agent's session does then is no matter of this one. */
function isOver({ tables }: OpenSession, callId: string): boolean {
  return (tables.calls.children.find(callId)?.phase ?? "over") === "over";
}

export const CALLED_SESSION_ACTS = {
  /** Resolves when the reply has begun. The same message again is the same reply. */
  startCalled: act<StartCalled, null>({
    run: async (session, { message, share }, { trace }) => {
      if (session.init.parent?.is_over) {
        return refuse("conflict", "the call for which this session was opened has ended");
      }
      const input = [message];
      const started = await session.queue.start({ input, on_busy: "reject", trace, share });
      return started.ok ? accept(null) : started;
    },
  }),

  readCalled: act<{ readonly message_id: string }, SubagentAnswer>({ run: readCalled }),

  /** Resolves when the end is durable. */
  stopCalled: act<void, null>({
    run: async (session) => {
      const { settings, tables, runner, queue } = session;
      const drop = (): void => {
        settings.endCall();
        tables.queue.interruptAll();
      };
      if (session.openReply) await runner.interrupt([], drop);
      else session.transaction(drop);
      await queue.beginQueued();
      return accept(null);
    },
  }),

  readCalledEvents: act<ReadCalledEvents, CalledEvents>({
    run: (session, query) => readCalledEvents(session, query),
  }),

  noteCalledEvents: act<{ readonly tool_call_id: string }, CallerNote>({
    run: async (session, { tool_call_id }) => {
      if (isOver(session, tool_call_id)) return accept({ is_over: true });
      await session.runner.children.copies.note(tool_call_id);
      return accept(null);
    },
  }),

  noteCalled: act<{ readonly tool_call_id: string }, CallerNote>({
    run: async (session, { tool_call_id }) => {
      if (isOver(session, tool_call_id)) return accept({ is_over: true });
      await session.runner.children.note(tool_call_id);
      return accept(null);
    },
  }),
} as const;
