// The session's tables, opened together over one storage.
import type { SessionInit } from "./session-api.ts";
import { MessageTable } from "./message-table.ts";
import { ReplyTable } from "./reply-table.ts";
import { Timers } from "./timers.ts";

export interface SessionTables {
  readonly messages: MessageTable;
  readonly replies: ReplyTable;
  readonly timers: Timers;
}

export function openSessionTables(storage: DurableObjectStorage): SessionTables {
  return {
    messages: new MessageTable(storage.sql),
    replies: new ReplyTable(storage.sql),
    timers: new Timers(storage),
  };
}

export function readSessionInit(sql: SqlStorage): SessionInit | null {
  const [row] = sql.exec<{ init: string }>("SELECT init FROM session").toArray();
  return row ? (JSON.parse(row.init) as SessionInit) : null;
}

export function writeSessionInit(sql: SqlStorage, init: SessionInit): void {
  sql.exec("INSERT INTO session (id, init) VALUES (1, ?)", JSON.stringify(init));
}

/** Before the session's next reply; one that runs keeps what it began with. */
export function rewriteSessionInit(sql: SqlStorage, init: SessionInit): void {
  sql.exec("UPDATE session SET init = ?", JSON.stringify(init));
}
