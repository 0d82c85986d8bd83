// The API's views of replies and of the session. Read only.
import type { ReplyModelOptions } from "../../protocol/models/model-options.ts";
import type { Elicitation } from "../../protocol/mcp/events.ts";
import { shownTask } from "../../agent/mcp/kept-task.ts";
import type {
  PendingCall,
  Reply,
  ReplySubagent,
  ReplyTask,
} from "../../protocol/replies/contract.ts";
import type { Session, SessionStatus } from "../../protocol/sessions/contract.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ActiveReply } from "./active-reply.ts";
import type { ChildPhase } from "../tables/child-table.ts";
import type { CallTable } from "../tables/call-table.ts";
import type { ReplyQueueTable } from "../tables/reply-queue-table.ts";
import type { ReplyRow } from "../tables/reply-table.ts";
import type { SessionInit } from "../api/session-api.ts";
import { sessionMembers } from "../settings/session-members.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { shownCalls } from "./shown-calls.ts";
import { shownMessage } from "./shown-message.ts";

export interface FoldedMessage {
  readonly message: Msg;
  readonly cursor: number;
}

type ShownRow = Pick<ReplyRow, "id" | "status" | "start_cursor"> &
  Partial<Pick<ReplyRow, "model_options">>;

/** The row of a reply that has just been accepted. */
export function runningRow(
  id: string,
  start_cursor: number,
  options: ReplyModelOptions | undefined,
): ShownRow {
  return { id, status: "running", start_cursor, model_options: toColumn(options) };
}

function toColumn(options: ReplyModelOptions | null | undefined): string | null {
  return options ? JSON.stringify(options) : null;
}

function parseOptions(text: string): ReplyModelOptions {
  return JSON.parse(text) as ReplyModelOptions;
}

/** The stored part of waiting calls, by id: input hash, expiry, and why they ask. */
type Journal = Pick<CallTable, "find">;
/** The same, and what is kept of their tasks. */
type TaskJournal = Pick<CallTable, "find" | "task" | "children">;

/** @param folded Null before `REPLY_START` is durable. */
export function viewReply(
  row: ShownRow,
  sessionId: string,
  folded: FoldedMessage | null,
  journal: TaskJournal,
): Reply {
  const message = folded?.message ?? null;
  return {
    id: row.id,
    session_id: sessionId,
    status: row.status,
    message: message && shownMessage(message),
    pending: message && isWaiting(row.status) ? shownCalls(pendingCalls(message, journal)) : [],
    ...(message && tasksOf(message, journal)),
    ...(message && subagentsOf(row.id, journal)),
    error: message?.error ?? null,
    usage: message?.usage ?? null,
    ...(row.model_options && { model_options: parseOptions(row.model_options) }),
    cursor: folded?.cursor ?? row.start_cursor,
  };
}

interface ReplySource {
  readonly init: Pick<SessionInit, "session_id">;
  readonly tables: { readonly calls: TaskJournal };
}

/** The reply in memory, in its durable state. */
export function viewActiveReply({ init, tables }: ReplySource, reply: ActiveReply): Reply {
  const { id, status, startCursor } = reply;
  const model_options = toColumn(reply.state.model_options);
  const row = { id, status, start_cursor: startCursor, model_options };
  return viewReply(row, init.session_id, reply.durable, tables.calls);
}

interface SessionParts {
  readonly openReply: ActiveReply | null;
  readonly log: { readonly visibleSeq: number };
  readonly tables: Pick<SessionTables, "abilities" | "firstWords"> & {
    readonly calls: Journal;
    readonly queue: Pick<ReplyQueueTable, "list">;
  };
}

export function viewSession(
  init: SessionInit,
  { openReply: reply, log, tables }: SessionParts,
): Session {
  const queued = tables.queue.list().filter(({ status }) => status === "running");
  // With none open, the next queued reply begins in a moment.
  const status = reply?.status ?? queued[0]?.status;
  return {
    id: init.session_id,
    agent_id: init.agent_id,
    agent_version: init.agent_version,
    follows_latest: init.follows_latest ?? false,
    end_user_id: init.end_user_id,
    title: init.title ?? tables.firstWords.read(),
    metadata: init.metadata,
    created_at: init.created_at,
    forked_from: init.forked_from ?? null,
    parent_session_id: init.parent?.session_id ?? null,
    room_id: init.room?.room_id ?? null,
    permission: { mode: init.permission?.mode ?? init.agent.permission.mode },
    working_directories: init.working_directories ?? [],
    time_zone: init.time_zone ?? null,
    status: sessionStatusOf(status),
    reply_id: reply?.id ?? queued[0]?.id ?? null,
    queued_reply_ids: queued.map(({ id }) => id),
    pending: reply ? shownCalls(pendingCalls(reply.state.message, tables.calls)) : [],
    cursor: log.visibleSeq,
    ...sessionMembers(tables.abilities),
  };
}

/** The calls of a message that wait for a confirmation or for an external result. */
export function pendingCalls(message: Msg, journal: Journal): readonly PendingCall[] {
  return message.content.flatMap((block): PendingCall[] => {
    if (block.type !== "tool_call") return [];
    if (block.state !== "asking" && block.state !== "submitted") return [];
    const asked = journal.find(block.id);
    return [
      {
        kind: block.state === "asking" ? "permission" : "external_result",
        tool_call: block,
        input_hash: block.state === "asking" ? (asked?.inputHash ?? null) : null,
        expires_at: asked?.expires_at ?? null,
        suggested_rules: block.suggested_rules,
        ...(asked?.question && { question: asked.question }),
        ...(block.state === "asking" && asked?.asked),
        ...(block.state === "submitted" && {
          ...(asked?.elicitation && { elicitation: shownElicitation(asked.elicitation) }),
          ...(asked?.asked.authorization && { authorization: asked.asked.authorization }),
        }),
      },
    ];
  });
}

/** The tasks of calls whose results have begun and not ended. */
function tasksOf(message: Msg, journal: TaskJournal): Pick<Reply, "tasks"> {
  const tasks = message.content.flatMap((block): readonly ReplyTask[] => {
    if (block.type !== "tool_result" || block.state !== "running") return [];
    const task = journal.task(block.id);
    return task ? [{ tool_call_id: block.id, tool_name: block.name, ...shownTask(task) }] : [];
  });
  return tasks.length > 0 ? { tasks } : {};
}

const SUBAGENT_STATUSES = {
  queued: "waiting",
  starting: "waiting",
  working: "working",
  stopping: "ended",
  over: "ended",
} as const satisfies Record<ChildPhase, ReplySubagent["status"]>;

function subagentsOf(replyId: string, { children }: TaskJournal): Pick<Reply, "subagents"> {
  const subagents = children
    .of(replyId)
    .map(({ tool_call_id, session_id, agent_id, phase, usage }): ReplySubagent => {
      const pending = phase === "working" ? children.questions.pending(tool_call_id) : [];
      return {
        tool_call_id,
        session_id,
        agent_id,
        status: SUBAGENT_STATUSES[phase],
        ...usage,
        ...(pending.length > 0 && { pending: shownCalls(pending) }),
      };
    });
  return subagents.length > 0 ? { subagents } : {};
}

/** Without what only the platform has to know. */
function shownElicitation({ server, requests, round }: Elicitation): PendingCall["elicitation"] {
  return { server, requests, round };
}

export function isWaiting(status: ReplyRow["status"]): boolean {
  return status === "awaiting_permission" || status === "awaiting_external_result";
}

/** The status of a session whose newest reply has this one. */
export function sessionStatusOf(status: ReplyRow["status"] | undefined): SessionStatus {
  switch (status) {
    case "running":
    case "awaiting_permission":
    case "awaiting_external_result":
      return status;
    default:
      return "idle";
  }
}
