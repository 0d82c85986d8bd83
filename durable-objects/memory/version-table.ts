// Versions of memories as they are read; they are written with their memory.
import type { MemoryVersion } from "../../protocol/memory/contract.ts";
import { toVersion, type VersionRow } from "./memory-rows.ts";

const VERSION = `SELECT v.*, g.into_id AS merged_into FROM versions v
  LEFT JOIN merged g ON g.memory_id = v.memory_id`;

/** Behind all ids. */
const LAST_ID = "n";

export class VersionTable {
  readonly #sql: SqlStorage;
  readonly #storeId: string;

  constructor(sql: SqlStorage, storeId: string) {
    this.#sql = sql;
    this.#storeId = storeId;
  }

  read(versionId: string): MemoryVersion | null {
    const [row] = this.#sql
      .exec<VersionRow>(`${VERSION} WHERE v.version_id = ?`, versionId)
      .toArray();
    return row ? toVersion(this.#storeId, row) : null;
  }

  /** The newest first. @param memoryId Of all memories when it is left out. */
  list(
    limit: number,
    before: string | undefined,
    memoryId: string | undefined,
  ): readonly MemoryVersion[] {
    const [of, values] = memoryId === undefined ? ["1", []] : ["v.memory_id = ?3", [memoryId]];
    return this.#sql
      .exec<VersionRow>(
        `${VERSION} WHERE v.version_id < ?1 AND ${of} ORDER BY v.version_id DESC LIMIT ?2`,
        before ?? LAST_ID,
        limit,
        ...values,
      )
      .toArray()
      .map((row) => toVersion(this.#storeId, row));
  }

  /** Memories of which there are versions, by id. */
  listMemoryIds(after: string, limit: number): readonly string[] {
    return this.#sql
      .exec<{ memory_id: string }>(
        "SELECT DISTINCT memory_id FROM versions WHERE memory_id > ? ORDER BY memory_id LIMIT ?",
        after,
        limit,
      )
      .toArray()
      .map(({ memory_id }) => memory_id);
  }
}
