// The index of permission decisions: the events that contain one. The decision itself is read from the log.
import { TOOL_CALL_EDITED } from "../../protocol/fold/append-custom.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { decisionsOf, isAutomatic } from "./decisions-of.ts";

interface DecisionRow extends Record<string, SqlStorageValue> {
  seq: number;
  /** Among those of its event. */
  position: number;
  is_edited: number;
}

export class DecisionTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Part of the transaction of the events. */
  record(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      decisionsOf(event).forEach((decision, position) => {
        const { tool_call_id } = decision;
        const isEdited =
          event.type === "USER_CONFIRM_RESULT" &&
          events.some((other) => isEditOf(other, tool_call_id));
        this.#sql.exec(
          "INSERT INTO decisions (seq, position, is_edited, is_automatic) VALUES (?, ?, ?, ?)",
          event.seq,
          position,
          isEdited ? 1 : 0,
          isAutomatic(decision) ? 1 : 0,
        );
      });
    }
  }

  /** Newest first, before a position of the record. */
  before(seq: number, position: number): Iterable<DecisionRow> {
    return this.#sql.exec<DecisionRow>(
      `SELECT seq, position, is_edited FROM decisions WHERE (seq, position) < (?, ?)
       ORDER BY seq DESC, position DESC`,
      seq,
      position,
    );
  }

  /**
   * The decisions that D1 lists, in a range of events, newest first. Rows from before the mark may be automatic ones.
   */
  listed(after: number, upTo: number, most: number): Iterable<DecisionRow> {
    return this.#sql.exec<DecisionRow>(
      `SELECT seq, position, is_edited FROM decisions
       WHERE seq > ? AND seq <= ? AND is_automatic = 0 ORDER BY seq DESC, position DESC LIMIT ?`,
      after,
      upTo,
      most,
    );
  }
}

function isEditOf(event: LoggedEvent, toolCallId: string): boolean {
  return (
    event.type === "CUSTOM" &&
    event.name === TOOL_CALL_EDITED &&
    event.value["tool_call_id"] === toolCallId
  );
}
