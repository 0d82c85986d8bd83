// Outlines of messages that are too large for an answer, stored beside them.
import { MAX_ROW_BYTES } from "../../protocol/events/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { outlineOf } from "../bytes/outline-of.ts";
import { readPieces } from "../bytes/parts.ts";
import { storedBody, type StoredPlace } from "./stored-message.ts";

export class MessageOutlines {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The outline, stored with the message; built and stored now for a message that has none. */
  read(place: Pick<StoredPlace, "position" | "parts" | "bytes">): Msg {
    const [row] = this.#sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM parts WHERE owner = 'outline' AND key = ? AND part = 1",
        place.position,
      )
      .toArray();
    if (row) return JSON.parse(new TextDecoder().decode(row.bytes)) as Msg;
    const outline = outlineOf(readPieces(this.#sql, storedBody(place), MAX_ROW_BYTES), place.bytes);
    this.keep(place.position, outline);
    return outline;
  }

  keep(position: number, outline: Msg): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO parts (owner, key, part, bytes) VALUES ('outline', ?, 1, ?)",
      position,
      new TextEncoder().encode(JSON.stringify(outline)),
    );
  }
}
