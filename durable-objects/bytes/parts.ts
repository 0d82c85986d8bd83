// Stores values of any size in rows of bounded size: bytes beyond the first row go to the table `parts`.
import { MAX_ROW_BYTES } from "../../protocol/events/limits.ts";
import { STORED_PIECE_BYTES } from "../../protocol/requests/limits.ts";
import { joinBytes } from "./join-bytes.ts";

/** An `outline` replaces a message that is too large for an answer. */
export type PartOwner = "event" | "message" | "queued_reply" | "background_task" | "outline";

/** The bytes in the owner's own row, and the number of parts after them. */
export interface StoredHead {
  readonly head: Uint8Array;
  readonly parts: number;
}

/** A value whose first parts are on disk before its row. */
export interface StagedValue {
  readonly head: Uint8Array;
  /** The place of the rest. */
  readonly place: PartPlace & { readonly owner: "event" | "message" };
  readonly rest: Uint8Array;
}

export interface PartPlace {
  readonly owner: PartOwner;
  readonly key: number;
  /** Counted from 1. */
  readonly part: number;
}

/**
 * Stores the bytes beyond the owner's own row as parts.
 * @returns The bytes for that row, and the number of parts.
 */
export function storeParts(
  sql: SqlStorage,
  owner: PartOwner,
  key: number,
  bytes: Uint8Array,
): StoredHead {
  const head = bytes.subarray(0, MAX_ROW_BYTES);
  const parts = storeFrom(sql, { owner, key, part: 1 }, bytes.subarray(MAX_ROW_BYTES));
  return { head, parts };
}

/** Stores the rest of a staged value. @returns As {@link storeParts}. */
export function storeRest(sql: SqlStorage, { place, head, rest }: StagedValue): StoredHead {
  return { head, parts: storeFrom(sql, place, rest) };
}

/** @returns The number of the last part. */
function storeFrom(sql: SqlStorage, { owner, key, part }: PartPlace, bytes: Uint8Array): number {
  let last = part - 1;
  for (let start = 0; start < bytes.byteLength; start += MAX_ROW_BYTES) {
    last += 1;
    storePart(sql, { owner, key, part: last }, bytes.subarray(start, start + MAX_ROW_BYTES));
  }
  return last;
}

export function storePart(
  sql: SqlStorage,
  { owner, key, part }: PartPlace,
  bytes: Uint8Array,
): void {
  sql.exec(
    "INSERT OR REPLACE INTO parts (owner, key, part, bytes) VALUES (?, ?, ?, ?)",
    owner,
    key,
    part,
    bytes,
  );
}

/** Reads the whole value. */
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
  return joinBytes([head, ...rows.map((row) => row.bytes)].map((piece) => new Uint8Array(piece)));
}

/** One part of a value, if it is there. */
export function loadPart(sql: SqlStorage, { owner, key, part }: PartPlace): ArrayBuffer | null {
  const [row] = sql
    .exec<{ bytes: ArrayBuffer }>(
      "SELECT bytes FROM parts WHERE owner = ? AND key = ? AND part = ?",
      owner,
      key,
      part,
    )
    .toArray();
  return row?.bytes ?? null;
}

/** A reference to a stored value, which is read in pieces. */
export interface StoredValue {
  readonly owner: PartOwner;
  readonly key: number;
  readonly parts: number;
  /** A query for a piece of the owner's own row. Parameters: first byte (counted from 1), number of bytes, key. */
  readonly headQuery: string;
}

type PieceRow = { piece: ArrayBuffer };

const PART_QUERY =
  "SELECT substr(bytes, ?, ?) AS piece FROM parts WHERE owner = ? AND key = ? AND part = ?";

/**
 * The value in small pieces, read lazily. The value must not change meanwhile.
 * @throws when a part is gone, because the session was erased.
 */
export function* readPieces(
  sql: SqlStorage,
  { owner, key, parts, headQuery }: StoredValue,
  pieceBytes = STORED_PIECE_BYTES,
): Generator<Uint8Array, void> {
  for (let part = 0; part <= parts; part += 1) {
    for (let from = 1; from <= MAX_ROW_BYTES; from += pieceBytes) {
      const [row] =
        part === 0
          ? sql.exec<PieceRow>(headQuery, from, pieceBytes, key).toArray()
          : sql.exec<PieceRow>(PART_QUERY, from, pieceBytes, owner, key, part).toArray();
      if (!row) throw new Error(`part ${part} of the ${owner} ${key} is gone`);
      if (row.piece.byteLength > 0) yield new Uint8Array(row.piece);
      if (row.piece.byteLength < pieceBytes) break;
    }
  }
}

export function deleteParts(sql: SqlStorage, owner: PartOwner, key: number): void {
  sql.exec("DELETE FROM parts WHERE owner = ? AND key = ?", owner, key);
}

/** Deletes the parts of all greater keys. */
export function deletePartsAbove(sql: SqlStorage, owner: PartOwner, key: number): void {
  sql.exec("DELETE FROM parts WHERE owner = ? AND key > ?", owner, key);
}

const NAMED_PARTS = {
  event: "SELECT parts FROM events WHERE seq = ?",
  message: "SELECT parts FROM messages WHERE position = ?",
} as const;

/** Deletes the parts that the row of this key does not count; all of them when there is no row. */
export function deleteUnnamedParts(
  sql: SqlStorage,
  owner: keyof typeof NAMED_PARTS,
  key: number,
): void {
  const [row] = sql.exec<{ parts: number }>(NAMED_PARTS[owner], key).toArray();
  sql.exec(
    "DELETE FROM parts WHERE owner = ? AND key = ? AND part > ?",
    owner,
    key,
    row?.parts ?? 0,
  );
}
