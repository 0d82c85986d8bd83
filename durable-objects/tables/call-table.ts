// The journal of tool calls: their ids, the input hash and expiry of a waiting call, and its answer. The state of a
// call is in its reply's message.
import type { CallJournal, GivenAnswer } from "../../agent/answers/answer-calls.ts";
import type { KeptTask } from "../../agent/mcp/kept-task.ts";
import {
  elicitationOf,
  INPUT_ANSWERED,
  type Elicitation,
  MCP_TASK,
  mcpTaskOf,
} from "../../protocol/mcp/events.ts";
import type { PendingCall } from "../../protocol/replies/contract.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import { askedBecause, type AskedBecause } from "../../protocol/messages/asked-because.ts";
import { AUTHORIZATION_COMPLETED } from "../../protocol/messages/authorization.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { ChildTable } from "./child-table.ts";
import type { Timers } from "./timers.ts";

interface CallRow extends Record<string, SqlStorageValue> {
  input_hash: string | null;
  expires_at: string | null;
  answer: string | null;
  seq: number;
  question: string | null;
  asked: string | null;
  elicitation: string | null;
}

/**
 * A stored answer. Without the input that it gave: that is the call's own from then on, and may be too large for a row.
 */
interface StoredAnswer extends Omit<GivenAnswer, "input"> {
  /** The seq of the event that gave it. */
  readonly seq: number;
}

export interface StoredCall
  extends Pick<CallJournal, "inputHash">, Pick<PendingCall, "expires_at"> {
  readonly answer: StoredAnswer | null;
  /** The question that a person is shown; null for calls that need no confirmation or were stored before version 103. */
  readonly question: string | null;
  /** Empty for calls that need no confirmation or were stored before version 109. */
  readonly asked: AskedBecause;
  /** The question of a call that waits for input; null for all others. */
  readonly elicitation: Elicitation | null;
  /** The seq of the last of these events: its start, its wait, its end. */
  readonly seq: number;
}

export class CallTable {
  readonly #sql: SqlStorage;
  readonly #timers: Timers;
  /** The agents that calls have called. */
  readonly children: ChildTable;

  constructor(sql: SqlStorage, timers: Timers) {
    this.#sql = sql;
    this.#timers = timers;
    this.children = new ChildTable(sql, timers);
  }

  isIdUsed(id: string): boolean {
    return this.#sql.exec("SELECT 1 FROM tool_calls WHERE id = ?", id).toArray().length > 0;
  }

  /** Reserves the id of a call that came in with a message. */
  note({ id }: Pick<ToolCallBlock, "id">, seq: number): void {
    this.#sql.exec("INSERT OR IGNORE INTO tool_calls (id, seq) VALUES (?, ?)", id, seq);
  }

  find(id: string): StoredCall | null {
    const [row] = this.#sql
      .exec<CallRow>(
        `SELECT input_hash, expires_at, answer, seq, question, asked, elicitation
         FROM tool_calls WHERE id = ?`,
        id,
      )
      .toArray();
    if (!row) return null;
    const answer = row.answer === null ? null : (JSON.parse(row.answer) as StoredAnswer);
    const { input_hash: inputHash, expires_at, seq, question } = row;
    const asked = row.asked === null ? {} : (JSON.parse(row.asked) as AskedBecause);
    const elicitation =
      row.elicitation === null ? null : (JSON.parse(row.elicitation) as Elicitation);
    return { inputHash, expires_at, answer, seq, question, asked, elicitation };
  }

  /** Keeps what a call is sent again with, until it ends. */
  keep(id: string, request: string): void {
    this.#sql.exec("UPDATE tool_calls SET request = ? WHERE id = ?", request, id);
  }

  kept(id: string): string | null {
    const [row] = this.#sql
      .exec<{ request: string | null }>("SELECT request FROM tool_calls WHERE id = ?", id)
      .toArray();
    return row?.request ?? null;
  }

  /** The task that the call was given in place of a result, as it is kept; null when there is none. */
  task(id: string): KeptTask | null {
    const kept = this.kept(id);
    return kept === null ? null : ((JSON.parse(kept) as { task?: KeptTask }).task ?? null);
  }

  /** Keeps what is new about the task of a call; without an event the caller sets its timer. */
  keepTask(id: string, task: KeptTask): void {
    const call = task.remote ? { isSent: true, task } : { state: null, settled: {}, task };
    this.keep(id, JSON.stringify(call));
  }

  setAnswer(id: string, { confirmed, rules, reason, seq }: StoredAnswer): void {
    const answer = JSON.stringify({ confirmed, rules, reason, seq });
    this.#sql.exec("UPDATE tool_calls SET answer = ? WHERE id = ?", answer, id);
  }

  /**
   * Part of the transaction of the event. A call that begins to wait gets its timer here, and one that was answered or
   * ended loses it.
   */
  record(event: LoggedEvent): void {
    switch (event.type) {
      case "TOOL_CALL_START":
        this.#sql.exec(
          "INSERT INTO tool_calls (id, seq) VALUES (?, ?)",
          event.tool_call_id,
          event.seq,
        );
        break;
      case "TOOL_RESULT_END":
        this.#sql.exec(
          "UPDATE tool_calls SET seq = ?, elicitation = NULL, request = NULL WHERE id = ?",
          event.seq,
          event.tool_call_id,
        );
        this.#timers.clearAll(["expiry", "task"], event.tool_call_id);
        this.children.record(event);
        break;
      case "REQUIRE_USER_CONFIRM":
      case "REQUIRE_EXTERNAL_EXECUTION":
        for (const { id } of event.tool_calls) this.#wait(id, event);
        break;
      case "CUSTOM":
        if (event.name === AUTHORIZATION_COMPLETED) this.#endSignIns(event.value["tool_call_ids"]);
        if (event.name === MCP_TASK) this.#followTask(event.value);
        if (event.name === INPUT_ANSWERED) this.#endQuestion(event.value["tool_call_id"]);
        break;
      case "USER_CONFIRM_RESULT":
        for (const { tool_call } of event.confirm_results) {
          this.#timers.clear({ kind: "expiry", id: tool_call.id });
        }
        break;
      case "REPLY_END":
        this.children.endReply(event.reply_id);
        break;
      default:
        break;
    }
  }

  /** A call that waits for its task has a timer, and one that continues with it has none. */
  #followTask(value: Readonly<Record<string, unknown>>): void {
    const waiting = mcpTaskOf(value);
    if (!waiting) return;
    const timer = { kind: "task", id: waiting.tool_call_id } as const;
    const task = waiting.waits ? this.task(waiting.tool_call_id) : null;
    if (task) this.#timers.set(timer, task.poll_at);
    else this.#timers.clear(timer);
  }

  #endQuestion(id: unknown): void {
    if (typeof id !== "string") return;
    this.#sql.exec("UPDATE tool_calls SET elicitation = NULL WHERE id = ?", id);
    this.#timers.clear({ kind: "expiry", id });
  }

  #endSignIns(ids: unknown): void {
    for (const id of Array.isArray(ids) ? (ids as readonly unknown[]) : []) {
      if (typeof id !== "string") continue;
      this.#timers.clear({ kind: "expiry", id });
      this.#sql.exec("UPDATE tool_calls SET asked = NULL, expires_at = NULL WHERE id = ?", id);
    }
  }

  #wait(id: string, { seq, metadata }: LoggedEvent): void {
    const inputHash = textOf(metadata?.["input_hashes"], id);
    const expiresAt = textOf(metadata?.["expires_at"], id);
    const question = textOf(metadata?.["questions"], id);
    const asked = askedBecause(metadata, id);
    const elicitation = elicitationOf(metadata, id);
    this.#sql.exec(
      `UPDATE tool_calls SET seq = ?, expires_at = ?, input_hash = coalesce(?, input_hash),
         question = ?, asked = ?, elicitation = ? WHERE id = ?`,
      seq,
      expiresAt,
      inputHash,
      question,
      Object.keys(asked).length > 0 ? JSON.stringify(asked) : null,
      elicitation && JSON.stringify(elicitation),
      id,
    );
    if (expiresAt !== null) this.#timers.set({ kind: "expiry", id }, Date.parse(expiresAt));
  }
}

/** The entry of one call in an event's metadata. */
function textOf(byCall: unknown, id: string): string | null {
  if (typeof byCall !== "object" || byCall === null || !Object.hasOwn(byCall, id)) return null;
  const value = (byCall as Record<string, unknown>)[id];
  return typeof value === "string" ? value : null;
}
