// Messages of triggers in a room, and what their discussions have come to. They are followed in the commits of the room's log, so
// that a trigger that asks, however late, is told the end of its own message's discussion.
import {
  followMessage,
  UNANSWERED,
  type FollowedMessage,
} from "../../agent/rooms/follow-message.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { roomEventOf } from "../../protocol/rooms/events.ts";
import { RUN_KEPT_MS } from "../../protocol/triggers/limits.ts";

/** Made with the first message of a trigger: most rooms have none. */
const TABLE = `CREATE TABLE IF NOT EXISTS triggered_messages (
  message_id TEXT PRIMARY KEY,
  trigger_id TEXT NOT NULL,
  -- In Unix milliseconds.
  said_at INTEGER NOT NULL,
  -- 0 once its discussion has ended.
  is_open INTEGER NOT NULL,
  -- As far as its discussion has come, as JSON.
  followed TEXT NOT NULL
) WITHOUT ROWID`;

export interface FollowedPlace {
  readonly message_id: string;
  readonly trigger_id: string;
}

interface FollowedRow extends Record<string, SqlStorageValue> {
  readonly message_id: string;
  readonly trigger_id: string;
  readonly followed: string;
}

export class TriggeredMessages {
  readonly #sql: SqlStorage;
  #isMade: boolean;
  /** Messages whose discussions have ended since they were last taken; in memory, as nothing depends on it. */
  #ended: FollowedPlace[] = [];

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const made = sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'triggered_messages'");
    this.#isMade = made.toArray().length > 0;
  }

  /** Part of the commit of the message. Forgets those that no run asks for any more. */
  add({ message_id, trigger_id }: FollowedPlace, nowMs: number): void {
    this.#sql.exec(TABLE);
    this.#isMade = true;
    const before = nowMs - RUN_KEPT_MS;
    this.#sql.exec("DELETE FROM triggered_messages WHERE is_open = 0 AND said_at < ?", before);
    this.#sql.exec(
      "INSERT INTO triggered_messages VALUES (?, ?, ?, 1, ?)",
      message_id,
      trigger_id,
      nowMs,
      JSON.stringify(UNANSWERED),
    );
  }

  /** Part of the commit of these events. */
  follow(events: readonly LoggedEvent[]): void {
    if (!this.#isMade) return;
    const own = events.map(roomEventOf).filter((event) => event !== null);
    if (own.length === 0) return;
    for (const { message_id, trigger_id, followed } of this.#open()) {
      const before = JSON.parse(followed) as FollowedMessage;
      const after = own.reduce(followMessage, before);
      if (after === before) continue;
      const isOpen = after.end === null;
      this.#sql.exec(
        "UPDATE triggered_messages SET followed = ?, is_open = ? WHERE message_id = ?",
        JSON.stringify(after),
        isOpen ? 1 : 0,
        message_id,
      );
      if (!isOpen) this.#ended.push({ message_id, trigger_id });
    }
  }

  /** Null for a message that no trigger has said, or that was forgotten. */
  read(messageId: string): FollowedMessage | null {
    if (!this.#isMade) return null;
    const query = "SELECT followed FROM triggered_messages WHERE message_id = ?";
    const [row] = this.#sql.exec<{ followed: string }>(query, messageId).toArray();
    return row ? (JSON.parse(row.followed) as FollowedMessage) : null;
  }

  /** Messages whose discussions have not ended. */
  open(most: number): readonly FollowedPlace[] {
    if (!this.#isMade) return [];
    return this.#sql
      .exec<FollowedPlace & Record<string, SqlStorageValue>>(
        "SELECT message_id, trigger_id FROM triggered_messages WHERE is_open = 1 LIMIT ?",
        most,
      )
      .toArray();
  }

  takeEnded(): readonly FollowedPlace[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  #open(): readonly FollowedRow[] {
    const query =
      "SELECT message_id, trigger_id, followed FROM triggered_messages WHERE is_open = 1";
    return this.#sql.exec<FollowedRow>(query).toArray();
  }
}
