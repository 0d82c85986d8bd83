// The parts of a store that its consolidations need. Types only.
import type { MonotonicIds } from "../log/monotonic-ids.ts";
import type { ConsolidationTable } from "./consolidation-table.ts";
import type { MemoryTables } from "./memory-tables.ts";
import type { MergedTable } from "./merged-table.ts";
import type { StoreTimers } from "./store-timers.ts";
import type { StoreVectors } from "./store-vectors.ts";
import type { StoreWrites } from "./store-writes.ts";

export interface ConsolidatedStore {
  readonly env: Env;
  readonly tables: MemoryTables;
  readonly merged: MergedTable;
  readonly jobs: ConsolidationTable;
  readonly timers: StoreTimers;
  readonly writes: StoreWrites;
  readonly vectors: StoreVectors;
  readonly ids: MonotonicIds;
  readonly sync: () => Promise<void>;
  readonly inBackground: (work: Promise<unknown>) => void;
}
