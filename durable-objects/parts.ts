// Values of any size in rows of bounded size: what does not fit goes into "parts".
import { MAX_ROW_BYTES } from "../protocol/limits.ts";

export type PartOwner = "event" | "message" | "queued_reply";

/**
 * Stores what of `bytes` is beyond the first row's share.
 * @returns That share, for the owner's own row, and how many parts follow.
 */
export function storeParts(
  sql: SqlStorage,
  owner: PartOwner,
  key: number,
  bytes: Uint8Array,
): { head: Uint8Array; parts: number } {
  if (bytes.byteLength <= MAX_ROW_BYTES) return { head: bytes, parts: 0 };
  let parts = 0;
  for (let start = MAX_ROW_BYTES; start < bytes.byteLength; start += MAX_ROW_BYTES) {
    parts += 1;
    sql.exec(
      "INSERT OR REPLACE INTO parts (owner, key, part, bytes) VALUES (?, ?, ?, ?)",
      owner,
      key,
      parts,
      bytes.slice(start, start + MAX_ROW_BYTES),
    );
  }
  return { head: bytes.slice(0, MAX_ROW_BYTES), parts };
}

/** The whole value again. */
export function loadParts(
  sql: SqlStorage,
  owner: PartOwner,
  key: number,
  head: ArrayBuffer,
  parts: number,
): Uint8Array {
  if (parts === 0) return new Uint8Array(head);
  const rows = sql
    .exec<{ bytes: ArrayBuffer }>(
      "SELECT bytes FROM parts WHERE owner = ? AND key = ? AND part <= ? ORDER BY part",
      owner,
      key,
      parts,
    )
    .toArray();
  const pieces = [head, ...rows.map((row) => row.bytes)];
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(new Uint8Array(piece), offset);
    offset += piece.byteLength;
  }
  return whole;
}

export function deleteParts(sql: SqlStorage, owner: PartOwner, key: number): void {
  sql.exec("DELETE FROM parts WHERE owner = ? AND key = ?", owner, key);
}
