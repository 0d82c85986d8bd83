// Replies of which it is still to be recorded what their agent remembers: a row from the end of the reply until the event
// about its recording. None in a session whose agent records nothing.
import type { ProposedMemory } from "../../agent/memory/choose-memories.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";

/** The choice of a model. It is on disk before it is written to the store, so that no crash asks the model again. */
export interface RecordingAnswer {
  readonly memories: readonly ProposedMemory[];
  readonly model: string;
  readonly usage: Usage;
  /** US dollars; null when it is not known. */
  readonly cost_usd: number | null;
}

export interface WaitingRecording {
  readonly reply_id: string;
  readonly untrusted: UntrustedSource | null;
  readonly is_of_user: boolean;
  readonly tries: number;
  readonly answer: RecordingAnswer | null;
}

interface RecordingRow extends Record<string, SqlStorageValue> {
  reply_id: string;
  untrusted: string | null;
  is_of_user: number;
  tries: number;
  answer: string | null;
}

export class RecordingTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Part of the transaction in which the reply ends. */
  add({
    reply_id,
    untrusted,
    is_of_user,
  }: Pick<WaitingRecording, "reply_id" | "untrusted" | "is_of_user">): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO recordings (reply_id, untrusted, is_of_user) VALUES (?, ?, ?)",
      reply_id,
      untrusted && JSON.stringify(untrusted),
      is_of_user ? 1 : 0,
    );
  }

  /** The oldest one. */
  first(): WaitingRecording | null {
    const query =
      "SELECT reply_id, untrusted, is_of_user, tries, answer FROM recordings ORDER BY reply_id LIMIT 1";
    const [row] = this.#sql.exec<RecordingRow>(query).toArray();
    if (!row) return null;
    const { reply_id, untrusted, is_of_user, tries, answer } = row;
    return {
      reply_id,
      untrusted: read<UntrustedSource>(untrusted),
      is_of_user: is_of_user === 1,
      tries,
      answer: read<RecordingAnswer>(answer),
    };
  }

  count(): number {
    const query = "SELECT count(*) AS count FROM recordings";
    return this.#sql.exec<{ count: number }>(query).one().count;
  }

  setAnswer(replyId: string, answer: RecordingAnswer): void {
    const query = "UPDATE recordings SET answer = ? WHERE reply_id = ?";
    this.#sql.exec(query, JSON.stringify(answer), replyId);
  }

  addTry(replyId: string): void {
    this.#sql.exec("UPDATE recordings SET tries = tries + 1 WHERE reply_id = ?", replyId);
  }

  /** Part of the transaction of the event about it. */
  remove(replyId: string): void {
    this.#sql.exec("DELETE FROM recordings WHERE reply_id = ?", replyId);
  }
}

function read<Value>(text: string | null): Value | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return null;
  }
}
