// Memories that consolidations have taken into others. Their versions stay listed, and go with the memory that has taken them:
// what is deleted or redacted there may be what they said.
import { MAX_MERGED_KEPT } from "../../protocol/memory/limits.ts";
import type { MemoryTables } from "./memory-tables.ts";

export class MergedTable {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  /** The memory that this one was taken into; null for none. */
  into(memoryId: string): string | null {
    const [row] = this.#tables.sql
      .exec<{ into_id: string }>("SELECT into_id FROM merged WHERE memory_id = ?", memoryId)
      .toArray();
    return row?.into_id ?? null;
  }

  /** A memory with all that were taken into it, or into the one that has taken it. */
  family(memoryId: string): readonly string[] {
    const root = this.into(memoryId) ?? memoryId;
    return [root, ...this.#takenInto(root)];
  }

  /** Within a transaction. What was taken into the memory before goes over with it. */
  merge(memoryId: string, intoId: string): void {
    const { sql } = this.#tables;
    this.#tables.unlist(memoryId);
    sql.exec("UPDATE merged SET into_id = ? WHERE into_id = ?", intoId, memoryId);
    sql.exec("INSERT INTO merged (memory_id, into_id) VALUES (?, ?)", memoryId, intoId);
    for (const id of this.#takenInto(intoId).slice(MAX_MERGED_KEPT)) this.#remove(id);
  }

  /** Deletes a memory with all its versions, and those of its family. Within a transaction. */
  remove(memoryId: string): void {
    for (const id of this.family(memoryId)) this.#remove(id);
  }

  /** @returns the ids of the versions whose content is gone. Within a transaction. */
  redact(memoryId: string, redactedAt: string): readonly string[] {
    return this.family(memoryId).flatMap((id) => [...this.#tables.redact(id, redactedAt)]);
  }

  #remove(memoryId: string): void {
    this.#tables.remove(memoryId);
    this.#tables.sql.exec("DELETE FROM merged WHERE memory_id = ?", memoryId);
  }

  /** The newest first. */
  #takenInto(memoryId: string): readonly string[] {
    return this.#tables.sql
      .exec<{ memory_id: string }>(
        "SELECT memory_id FROM merged WHERE into_id = ? ORDER BY memory_id DESC",
        memoryId,
      )
      .toArray()
      .map(({ memory_id }) => memory_id);
  }
}
