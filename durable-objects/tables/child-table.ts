// The agents that calls of this session's replies have called: the session of each, what is still to be done about it, and up
// to where its log was copied.
import { NOTHING_COPIED, type Copied } from "../../agent/agents/hand-on.ts";
import { NO_USAGE, type SubagentUsage } from "../../agent/agents/subagent-answer.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { QuestionTable } from "./question-table.ts";
import { CHILDREN, type Timers } from "./timers.ts";

/**
 * `queued`: too many others are at work. `starting`: its session is opened, and its reply begun. `working`: its reply is
 * looked at until it has ended. `stopping`: the call has ended before it. `over`: nothing is left to do.
 */
export type ChildPhase = "queued" | "starting" | "working" | "stopping" | "over";

/** Times are Unix times in milliseconds. */
export interface Child {
  readonly tool_call_id: string;
  /** The reply that has called it. */
  readonly reply_id: string;
  readonly phase: ChildPhase;
  /** When it is looked at next; null when nothing is left to do. */
  readonly look_at: number | null;
  readonly session_id: string;
  readonly agent_id: string;
  /** Null for the newest one. */
  readonly version: number | null;
  readonly max_depth: number;
  readonly max_tokens: number;
  /** The message with which its reply begins: what is repeated finds it there. */
  readonly message_id: string;
  readonly called_at: number;
  /** When its session was first opened, or was to be. */
  readonly begun_at: number | null;
  /** The reason that it has not begun; null otherwise. */
  readonly failure: string | null;
  readonly usage: SubagentUsage;
}

type ChildBody = Omit<Child, "tool_call_id" | "reply_id" | "phase" | "look_at">;

type ChildRow = Pick<Child, "tool_call_id" | "reply_id" | "phase" | "look_at"> & {
  readonly body: string;
};

const ROWS = "SELECT tool_call_id, reply_id, phase, look_at, body FROM children";

export class ChildTable {
  /** Questions of these agents, and of those that they have called. */
  readonly questions: QuestionTable;
  readonly #sql: SqlStorage;
  readonly #timers: Timers;
  /** Calls whose agents are not over; null until they were read, once. Most sessions have none, and no table. */
  #open: Set<string> | null = null;

  constructor(sql: SqlStorage, timers: Timers) {
    this.#sql = sql;
    this.#timers = timers;
    this.questions = new QuestionTable(sql);
  }

  find(callId: string): Child | null {
    const [row] = this.#sql.exec<ChildRow>(`${ROWS} WHERE tool_call_id = ?`, callId).toArray();
    return row ? read(row) : null;
  }

  /** In the order of the calls. */
  of(replyId: string): readonly Child[] {
    const rows = this.#sql.exec<ChildRow>(`${ROWS} WHERE reply_id = ?`, replyId).toArray();
    return rows.map(read).sort((one, other) => one.called_at - other.called_at);
  }

  due(nowMs: number): readonly Child[] {
    return this.#sql.exec<ChildRow>(`${ROWS} WHERE look_at <= ?`, nowMs).toArray().map(read);
  }

  put({ tool_call_id, reply_id, phase, look_at, ...body }: Child): void {
    this.#sql.exec(
      `INSERT INTO children (tool_call_id, reply_id, phase, look_at, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (tool_call_id) DO UPDATE
       SET phase = excluded.phase, look_at = excluded.look_at, body = excluded.body`,
      tool_call_id,
      reply_id,
      phase,
      look_at,
      JSON.stringify(body satisfies ChildBody),
    );
    if (phase === "over") this.#openIds().delete(tool_call_id);
    else this.#openIds().add(tool_call_id);
    if (look_at !== null) this.#timers.setBy(CHILDREN, look_at);
  }

  copied(callId: string): Copied {
    const query = "SELECT copied FROM children WHERE tool_call_id = ?";
    const [row] = this.#sql.exec<{ copied: string | null }>(query, callId).toArray();
    return row?.copied ? (JSON.parse(row.copied) as Copied) : NOTHING_COPIED;
  }

  /** Part of the transaction of the events that were copied. */
  setCopied(callId: string, copied: Copied): void {
    const query = "UPDATE children SET copied = ? WHERE tool_call_id = ?";
    this.#sql.exec(query, JSON.stringify(copied), callId);
  }

  /** Bytes that the agents of a reply have added to the log. */
  copiedBytes(replyId: string): number {
    const query = "SELECT tool_call_id FROM children WHERE reply_id = ?";
    const calls = this.#sql.exec<{ tool_call_id: string }>(query, replyId).toArray();
    return calls.reduce((sum, { tool_call_id }) => {
      const { bytes, below } = this.copied(tool_call_id);
      return sum + bytes + below;
    }, 0);
  }

  /** Whether an agent works, or is to work, for one of the session's calls. */
  get hasOpen(): boolean {
    return this.#openIds().size > 0;
  }

  /** The number of agents that are at work, or about to be. */
  countAtWork(): number {
    return [...this.#openIds()].filter((id) => {
      const phase = this.find(id)?.phase;
      return phase === "starting" || phase === "working";
    }).length;
  }

  /** Calls that have waited longest for their turns, so many at most. */
  firstQueued(most: number): readonly Child[] {
    const waiting = [...this.#openIds()].flatMap((id) => this.find(id) ?? []);
    const queued = waiting.filter(({ phase }) => phase === "queued");
    return queued.sort((one, other) => one.called_at - other.called_at).slice(0, most);
  }

  /** Sets the timer for what is due next. */
  schedule(): void {
    const query = "SELECT look_at FROM children WHERE look_at IS NOT NULL ORDER BY look_at LIMIT 1";
    const [next] = this.#sql.exec<{ look_at: number }>(query).toArray();
    if (next) this.#timers.set(CHILDREN, next.look_at);
    else this.#timers.clear(CHILDREN);
  }

  /** Part of the transaction of the event: an agent whose call has ended before it is stopped. */
  record(event: LoggedEvent): void {
    if (event.type !== "TOOL_RESULT_END" || !this.#openIds().has(event.tool_call_id)) return;
    const child = this.find(event.tool_call_id);
    if (!child) return;
    this.questions.cancel(child.tool_call_id);
    this.put({ ...child, phase: "stopping", look_at: Date.now() });
  }

  /** Part of the transaction in which a reply ends, in whatever way: nothing of its agents goes on. */
  endReply(replyId: string): void {
    if (!this.hasOpen) return;
    for (const child of this.of(replyId)) {
      this.questions.cancel(child.tool_call_id);
      if (child.phase !== "over" && child.phase !== "stopping")
        this.put({ ...child, phase: "stopping", look_at: Date.now() });
    }
  }

  #openIds(): Set<string> {
    this.#open ??= new Set(
      this.#sql
        .exec<{ tool_call_id: string }>(
          "SELECT tool_call_id FROM children WHERE look_at IS NOT NULL AND phase <> 'over'",
        )
        .toArray()
        .map(({ tool_call_id }) => tool_call_id),
    );
    return this.#open;
  }
}

export const NEW_CHILD = {
  look_at: null,
  begun_at: null,
  failure: null,
  usage: NO_USAGE,
} as const;

function read({ body, ...row }: ChildRow): Child {
  return { ...row, ...(JSON.parse(body) as ChildBody) };
}
