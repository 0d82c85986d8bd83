// The state of a session's memory: its store, and the memories that were told and are not told any more. No words of any.
import {
  MEMORIES_RECORDED,
  MEMORIES_REDACTED,
  RECALL_SOURCE,
} from "../../protocol/memory/events.ts";
import { MAX_REDACTED_KEPT } from "../../protocol/memory/limits.ts";
import type { AbilityFold } from "../ability.ts";

export interface MemoryState {
  /** Null until something was recalled or written. */
  readonly store_id: string | null;
  /** Ids of memories that hints or results of the session have told, and that were deleted or redacted since; oldest first. */
  readonly gone: readonly string[];
}

/** The name of the ability, and of its snapshots. */
export const MEMORY_ABILITY = "memory";

/** A fork keeps it. An import has none: the store of a session follows from its agent and its end user. */
export const MEMORY_FOLD: AbilityFold<MemoryState> = {
  name: MEMORY_ABILITY,
  initial: { store_id: null, gone: [] },
  reads: ["CUSTOM", "HINT_BLOCK"],
  advance(before, event) {
    if (event.type === "HINT_BLOCK" && event.source === RECALL_SOURCE) {
      return withStore(before, event.metadata["store_id"]);
    }
    if (event.type !== "CUSTOM") return before;
    const { name, value } = event;
    if (name === MEMORIES_RECORDED) return withStore(before, value["store_id"]);
    if (name !== MEMORIES_REDACTED) return before;
    const { memory_ids } = value;
    if (!Array.isArray(memory_ids)) return before;
    const added = memory_ids.filter(
      (id: unknown): id is string => typeof id === "string" && !before.gone.includes(id),
    );
    if (added.length === 0) return before;
    return { ...before, gone: [...before.gone, ...added].slice(-MAX_REDACTED_KEPT) };
  },
  // A memory that was deleted since stays gone.
  restore: (_, now) => now,
};

function withStore(before: MemoryState, id: unknown): MemoryState {
  return typeof id === "string" && id !== before.store_id ? { ...before, store_id: id } : before;
}
