// The memories of the next batch of a consolidation: the next ones in the order of their ids, each with those of the whole store
// that are most similar to it.
import type { BatchMemory } from "../../agent/memory/consolidation-prompt.ts";
import type { Memory } from "../../protocol/memory/contract.ts";
import {
  CONSOLIDATED_AT_ONCE,
  MAX_CONSOLIDATED_CHARACTERS,
  SIMILAR_TO_CONSOLIDATED,
} from "../../protocol/memory/limits.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { BatchPlace } from "./consolidation-rows.ts";
import type { MemoryTables } from "./memory-tables.ts";
import { similarTo } from "./write-memory.ts";

export interface Batch {
  readonly memories: readonly BatchMemory[];
  /** Memories that it goes over; the others are shown beside them. */
  readonly read: number;
  /** Null behind the last batch. */
  readonly next: BatchPlace | null;
}

/** Bounded in memories and characters; each search is a time slice. @returns null when the store was erased meanwhile. */
export async function selectBatch(tables: MemoryTables, place: BatchPlace): Promise<Batch | null> {
  const ids = nextIds(tables.sql, place);
  const shown = new Map<string, Memory>();
  let room = MAX_CONSOLIDATED_CHARACTERS;
  const show = (memory: Memory): boolean => {
    if (shown.has(memory.id)) return true;
    if (memory.content.length > room && shown.size > 0) return false;
    room -= memory.content.length;
    shown.set(memory.id, memory);
    return true;
  };
  let read = 0;
  for (const id of ids) {
    await timeSlice();
    if (!tables.store) return null;
    const memory = tables.read(id);
    // Deleted meanwhile, it is gone over all the same.
    if (memory && !show(memory)) break;
    read += 1;
    const similar = memory ? similarTo(tables, memory.content) : [];
    similar
      .filter((one) => one.id !== id && (place.of === "untrusted" || one.untrusted === null))
      .slice(0, SIMILAR_TO_CONSOLIDATED)
      .forEach(show);
  }
  const isLast = read === ids.length && ids.length < CONSOLIDATED_AT_ONCE;
  const next = isLast ? placeBehind(place) : { ...place, after: ids[read - 1] ?? place.after };
  return { memories: [...shown.values()].map(toBatchMemory), read, next };
}

function placeBehind({ of, until }: BatchPlace): BatchPlace | null {
  return of === "trusted" ? { of: "untrusted", after: "", until } : null;
}

function nextIds(sql: SqlStorage, { of, after, until }: BatchPlace): readonly string[] {
  return sql
    .exec<{ memory_id: string }>(
      `SELECT m.memory_id FROM memories m JOIN versions v ON v.version_id = m.version_id
       WHERE m.memory_id > ? AND m.memory_id <= ? AND (v.untrusted IS NULL) = ?
       ORDER BY m.memory_id LIMIT ?`,
      after,
      until,
      of === "trusted" ? 1 : 0,
      CONSOLIDATED_AT_ONCE,
    )
    .toArray()
    .map(({ memory_id }) => memory_id);
}

function toBatchMemory({ id, version, content, updated_at, path, untrusted }: Memory): BatchMemory {
  return {
    id,
    version,
    content,
    updated_at,
    has_path: path !== null,
    is_untrusted: untrusted !== null,
  };
}
