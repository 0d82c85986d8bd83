// Makes a long session from a short one by duplicating the rows of its only reply, as if it had been requested
// repeatedly. The object must be restarted afterwards.
import { packFrames } from "../../durable-objects/log/pack-frames.ts";
import { unpackFrames } from "../../durable-objects/log/unpack-frames.ts";

type Row = Record<string, SqlStorageValue>;

/** @returns The last seq. */
export function repeatReply(storage: DurableObjectStorage, times: number): number {
  const { sql } = storage;
  const events = rowsOf(sql, "events");
  const messages = rowsOf(sql, "messages");
  const replies = rowsOf(sql, "replies");
  const length = Math.max(...events.map(({ seq }) => Number(seq)));
  storage.transactionSync(() => {
    for (let time = 1; time < times; time += 1) {
      const later = (seq: unknown): number => Number(seq) + time * length;
      const again = (value: Uint8Array): Uint8Array => rewrite(value, later, time);
      for (const row of events) {
        insert(sql, "events", {
          ...row,
          seq: later(row["seq"]),
          frames: repack(again(unpackFrames(bytesOf(row["frames"])))),
        });
      }
      for (const row of messages) {
        insert(sql, "messages", {
          ...row,
          position: later(row["position"]),
          cursor: later(row["cursor"]),
          id: rename(row["id"], time),
          reply_id: rename(row["reply_id"], time),
          body: again(bytesOf(row["body"])),
        });
      }
      for (const row of replies) {
        insert(sql, "replies", {
          ...row,
          id: rename(row["id"], time),
          start_cursor: later(row["start_cursor"]),
          end_seq: later(row["end_seq"]),
        });
      }
    }
  });
  return length * times;
}

function rowsOf(sql: SqlStorage, table: string): readonly Row[] {
  return sql.exec(`SELECT * FROM ${table}`).toArray();
}

function insert(sql: SqlStorage, table: string, row: Record<string, unknown>): void {
  const columns = Object.keys(row);
  sql.exec(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    ...(Object.values(row) as SqlStorageValue[]),
  );
}

function bytesOf(value: SqlStorageValue | undefined): Uint8Array {
  return new Uint8Array(value as ArrayBuffer);
}

/** Frames as a row of the log has them. */
function repack(frames: Uint8Array): Uint8Array {
  const texts = new TextDecoder().decode(frames).match(/[^]+?\n\n/g) ?? [];
  return packFrames(texts.map((text) => ({ seq: Number(/^id: (\d+)/.exec(text)?.[1]), text })));
}

/** The text of frames or of a message with shifted seqs and other ids. */
function rewrite(bytes: Uint8Array, later: (seq: string) => number, time: number): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  const moved = text
    .replaceAll(/^id: (\d+)$/gm, (_, seq: string) => `id: ${later(seq)}`)
    .replaceAll(/"id":"evt_(\d+)"/g, (_, seq: string) => `"id":"evt_${later(seq)}"`)
    .replaceAll(/"seq":(\d+)\}$/gm, (_, seq: string) => `"seq":${later(seq)}}`);
  return new TextEncoder().encode(rename(moved, time));
}

const ID_END = 5;

/** Ids of replies and messages end in the number. */
function rename(text: SqlStorageValue | undefined, time: number): string {
  const end = String(time).padStart(ID_END, "0");
  return (typeof text === "string" ? text : "").replaceAll(
    /\b(?:rep|msg)_[0-9a-z]{26}\b/g,
    (id) => id.slice(0, -ID_END) + end,
  );
}
