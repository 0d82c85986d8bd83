// Records: memories of one reply, call or request, with the outcome of each. Repeated they write nothing again.
import type { MemoryOutcome } from "../../agent/memory-store.ts";
import { RECORDED_CHARACTERS_AT_ONCE } from "../../protocol/memory/limits.ts";
import type { MonotonicIds } from "../log/monotonic-ids.ts";
import type { MemoryTables } from "./memory-tables.ts";
import type { RecordTable } from "./record-table.ts";
import type { StoreRoom } from "./store-room.ts";
import { writeMemory, type GivenMemory } from "./write-memory.ts";

interface RecordTables {
  readonly tables: MemoryTables;
  readonly records: RecordTable;
  readonly ids: MonotonicIds;
}

type RecordPart = (room: StoreRoom) => readonly MemoryOutcome[];

/**
 * The transactions of a record, one of which is enough for most. Each has the outcomes so far, the last one all: what was
 * lost behind one of them is gone on with when the record is repeated.
 */
export function recordParts(
  { tables, records, ids }: RecordTables,
  recordId: string,
  memories: readonly GivenMemory[],
): readonly RecordPart[] {
  return partsOf(memories).map((end): RecordPart => ({ memories: most }) => {
    const kept = records.read(recordId) ?? [];
    const settings = { ids, most, now: new Date().toISOString() };
    const more = memories
      .slice(kept.length, end)
      .map((memory) => writeMemory(tables, memory, settings));
    if (more.length === 0) return kept;
    const outcomes = [...kept, ...more];
    records.keep(recordId, outcomes);
    return outcomes;
  });
}

/** The end of each part: as many memories as have {@link RECORDED_CHARACTERS_AT_ONCE} together, one at least. */
function partsOf(memories: readonly GivenMemory[]): readonly number[] {
  const ends: number[] = [];
  let characters = 0;
  for (const [index, { content }] of memories.entries()) {
    characters += content.length;
    if (characters > RECORDED_CHARACTERS_AT_ONCE && index > 0 && ends.at(-1) !== index) {
      ends.push(index);
      characters = content.length;
    }
  }
  return [...ends, memories.length];
}
