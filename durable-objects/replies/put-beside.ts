// An entry of the outbox beside those of replies, in the transaction of its change, with the watchdog that delivers it.
import { a2aMarkOf } from "../../protocol/a2a/a2a-mark.ts";
import {
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
} from "../../protocol/agents/events.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { ChildTable } from "../tables/child-table.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { WATCHDOG, type Timers } from "../tables/timers.ts";
import type { ActiveReply } from "./active-reply.ts";

interface EntryBeside {
  /** The seq of the event that it stands for. */
  readonly entry: number;
  /** Empty for growth without a reply. */
  readonly replyId: string;
  readonly at: string;
  /** As JSON; null for growth alone, and for a reply. */
  readonly plan: string | null;
  /** Of a reply that has begun. */
  readonly status?: ReplyStatus;
}

export function putBeside(
  sql: SqlStorage,
  timers: Timers,
  { entry, replyId, at, plan, status = "completed" }: EntryBeside,
): void {
  sql.exec(
    "INSERT OR IGNORE INTO outbox (entry, reply_id, status, created_at, plan) VALUES (?, ?, ?, ?, ?)",
    entry,
    replyId,
    status,
    at,
    plan,
  );
  timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
}

type Children = Pick<ChildTable, "hasOpen" | "of" | "questions">;

/** The reply in memory. */
export type OpenTask = Pick<ActiveReply, "id" | "isTask" | "isRunning"> | null;

/**
 * The entry for a task of A2A that begins with these events, or that may wait or go on by them while its reply runs: what agents
 * ask that it has called. @returns its seq; null for none.
 */
export function putTask(
  sql: SqlStorage,
  { timers, calls }: Pick<SessionTables, "timers" | "calls">,
  events: readonly LoggedEvent[],
  active: OpenTask,
): number | null {
  const event = events.find(isBegunTask) ?? changeOf(events, active, calls.children);
  if (!event) return null;
  const { seq: entry, reply_id: replyId = "", created_at: at } = event;
  putBeside(sql, timers, { entry, replyId, at, plan: null, status: "running" });
  return entry;
}

function isBegunTask(event: LoggedEvent): boolean {
  return event.type === "REPLY_START" && a2aMarkOf(event) !== null;
}

function changeOf(
  events: readonly LoggedEvent[],
  active: OpenTask,
  children: Children,
): LoggedEvent | null {
  if (!active?.isTask || !active.isRunning) return null;
  const own = events.filter(({ reply_id }) => reply_id === active.id);
  const asked = own.findLast((event) => event.type === "CUSTOM" && QUESTIONS.has(event.name));
  if (asked) return asked;
  // Questions of called agents may be all that is waited for now. Without one the task works on, as D1 has it.
  const ended = own.findLast(({ type }) => type === "TOOL_RESULT_END");
  return ended && hasQuestion(active.id, children) ? ended : null;
}

function hasQuestion(replyId: string, children: Children): boolean {
  if (!children.hasOpen) return false;
  return children.of(replyId).some(({ tool_call_id: id }) => children.questions.open(id).size > 0);
}

const QUESTIONS: ReadonlySet<unknown> = new Set([
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
]);
