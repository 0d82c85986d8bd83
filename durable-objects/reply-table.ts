// The replies of the session and their journal: what is open, and who may write.
import type { ReplyStatus } from "../protocol/api/replies.ts";
import type { LoggedEvent } from "../protocol/events.ts";

export interface ReplyRow extends Record<string, SqlStorageValue> {
  id: string;
  epoch: number;
  status: ReplyStatus;
  start_cursor: number;
  end_seq: number | null;
  agent_version: number;
  model_name: string;
}

export interface ReplyInsert {
  readonly id: string;
  readonly start_cursor: number;
  readonly agent_version: number;
  readonly model_name: string;
  readonly created_at: string;
}

const COLUMNS = "id, epoch, status, start_cursor, end_seq, agent_version, model_name";

export class ReplyTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  insert(reply: ReplyInsert): void {
    this.#sql.exec(
      `INSERT INTO replies (id, epoch, status, start_cursor, agent_version, model_name, created_at)
       VALUES (?, 1, 'running', ?, ?, ?, ?)`,
      reply.id,
      reply.start_cursor,
      reply.agent_version,
      reply.model_name,
      reply.created_at,
    );
  }

  setEpoch(id: string, epoch: number): void {
    this.#sql.exec("UPDATE replies SET epoch = ? WHERE id = ?", epoch, id);
  }

  /** A reply that waited goes on with another runner. */
  resume(id: string, epoch: number): void {
    this.#sql.exec(
      "UPDATE replies SET status = 'running', epoch = ?, end_seq = NULL WHERE id = ?",
      epoch,
      id,
    );
  }

  /** @param endSeq The seq after which the reply has nothing more to say for now. */
  setStatus(id: string, status: ReplyStatus, endSeq: number): void {
    this.#sql.exec("UPDATE replies SET status = ?, end_seq = ? WHERE id = ?", status, endSeq, id);
  }

  find(id: string): ReplyRow | null {
    return (
      this.#sql.exec<ReplyRow>(`SELECT ${COLUMNS} FROM replies WHERE id = ?`, id).toArray()[0] ??
      null
    );
  }

  /** The newest reply; only it can still be open. */
  newest(): ReplyRow | null {
    return this.before(null, 1)[0] ?? null;
  }

  /** Newest first: ids sort by time. @param id Exclusive; null starts at the newest. */
  before(id: string | null, limit: number): readonly ReplyRow[] {
    return this.#sql
      .exec<ReplyRow>(
        `SELECT ${COLUMNS} FROM replies WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2`,
        id,
        limit,
      )
      .toArray();
  }

  /** Keeps the journal of model calls; part of the transaction of the events. */
  record(event: LoggedEvent): void {
    switch (event.type) {
      case "MODEL_CALL_START":
        this.#sql.exec(
          "INSERT INTO steps (started_seq, reply_id, kind) VALUES (?, ?, 'model_call')",
          event.seq,
          event.reply_id,
        );
        break;
      case "MODEL_CALL_END":
        this.#sql.exec(
          "UPDATE steps SET finished_seq = ? WHERE started_seq = (SELECT max(started_seq) FROM steps)",
          event.seq,
        );
        break;
      default:
        break;
    }
  }
}
