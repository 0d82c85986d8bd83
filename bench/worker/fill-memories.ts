// Writes many memories into a store at once, as their tables have them, since the API would take hours. The object must be
// restarted afterwards.
import { codeOf, CODE_WORDS, quantise } from "../../agent/memory/quantise.ts";
import { CODES_OF_A_ROW } from "../../protocol/memory/limits.ts";
import { MemoryTables } from "../../durable-objects/memory/memory-tables.ts";
import type { MemoryFill } from "../memory/fill.ts";
import { memoryIdAt, textAt } from "../memory/texts.ts";
import { vectorOf } from "../memory/vectors.ts";

const CREATED_AT = "2026-01-01T00:00:00.000Z";

/** Memories number `from` to `to`, the last one left out, with their vectors where the fill names a model of them. */
export function fillMemories(storage: DurableObjectStorage, fill: MemoryFill): void {
  const tables = new MemoryTables(storage);
  tables.inTransaction(() => {
    for (let number = fill.from; number < fill.to; number += 1) writeMemory(tables, number);
    if (fill.model !== null) writeVectors(storage.sql, fill, fill.model);
  });
}

function writeMemory(tables: MemoryTables, number: number): void {
  tables.put({
    version_id: memoryIdAt(number).replace("mem_", "memver_"),
    memory_id: memoryIdAt(number),
    operation: "recorded",
    path: null,
    source: null,
    untrusted: null,
    content: textAt(number),
    content_sha256: String(number).padStart(64, "0"),
    created_at: CREATED_AT,
  });
}

/** A row of codes is written once, and not for each of its vectors. */
function writeVectors(sql: SqlStorage, { from, to, dimensions }: MemoryFill, model: string): void {
  sql.exec("INSERT OR REPLACE INTO vector_model VALUES (1, ?)", model);
  for (let first = from; first < to; first += CODES_OF_A_ROW) {
    const codes = new Uint32Array(CODES_OF_A_ROW * CODE_WORDS);
    for (let slot = first; slot < Math.min(first + CODES_OF_A_ROW, to); slot += 1) {
      const vector = quantise(vectorOf(textAt(slot), dimensions)) ?? new Int8Array(1);
      sql.exec(
        "INSERT INTO vectors VALUES (?, ?, ?)",
        slot,
        memoryIdAt(slot),
        vector.slice().buffer,
      );
      codes.set(codeOf(vector), (slot - first) * CODE_WORDS);
    }
    sql.exec("INSERT INTO codes VALUES (?, ?)", first / CODES_OF_A_ROW, codes.buffer);
  }
}
