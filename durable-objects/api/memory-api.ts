// The RPC interface of a memory store's object. Types only.
import type { Recall } from "../../agent/memory-store.ts";
import type { MemoryResult, RecordRequest, MemoryOutcome } from "../../agent/memory-store.ts";
import type { Result } from "../../protocol/errors.ts";
import type {
  EmbeddingDefinition,
  Memory,
  MemoryUpdate,
  MemoryVersion,
  RedactedMemory,
} from "../../protocol/memory/contract.ts";
import type { MemoryConsolidation } from "../../protocol/memory/consolidation.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { Once } from "./session-api.ts";
import type { MemoryOwner } from "../../storage/memory/store-id.ts";

/** Each call says whose store it means: an object serves the owner that its name was made of. */
export interface StoreCall {
  readonly owner: MemoryOwner;
  /** The endpoint of the agent's definition; null to search by words alone. */
  readonly embedding: EmbeddingDefinition | null;
  /** The version of the agent whose endpoint that is: a newer one's is not given up for it. 0 when left out. */
  readonly agent_version?: number;
}

export interface SearchCall extends StoreCall {
  readonly texts: readonly string[];
  readonly limit: number;
}

/** A memory that an API key writes, or a change of one. */
export interface WriteCall extends StoreCall {
  readonly content: string;
  readonly path?: string | null;
  /** Repeats of it have the same outcome. */
  readonly record_id: string;
}

export interface WrittenMemory {
  readonly kind: "added" | "superseded" | "duplicate";
  readonly memory: Memory;
}

export interface ListMemories {
  /** Memories made before this one; the newest first when it is left out. */
  readonly before?: string | undefined;
  /** At this path and below it. */
  readonly path?: string | undefined;
  readonly limit: number;
}

export interface ExportedMemory {
  readonly memory: Memory | null;
  readonly versions: readonly MemoryVersion[];
}

export interface ConsolidationCall extends Pick<StoreCall, "owner"> {
  /** A request that is repeated begins no other one; null for one without a key. */
  readonly request_id: string | null;
  /** The name of one of the agent's models; its own when left out. */
  readonly model?: string | undefined;
  readonly instructions?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Memories with their versions, by id. */
export interface ExportedPage {
  readonly memories: readonly ExportedMemory[];
  /** The `after` of the next page; null at the end. */
  readonly next: string | null;
}

export interface MemoryApi {
  recall(call: SearchCall): Promise<MemoryResult<Recall>>;
  record(
    call: StoreCall & RecordRequest,
  ): Promise<MemoryResult<{ readonly outcomes: readonly MemoryOutcome[] }>>;
  /** Of these memories those that were deleted or redacted. */
  gone(memoryIds: readonly string[]): Promise<readonly string[]>;
  /** Makes the store, when it is not there. @returns when it was made. */
  open(call: StoreCall): Promise<Result<{ readonly created_at: string }>>;
  search(
    call: SearchCall,
  ): Promise<Result<{ readonly memories: readonly Memory[]; readonly note: string | null }>>;
  list(request: ListMemories): Promise<Page<Memory>>;
  read(memoryId: string): Promise<Result<Memory>>;
  write(call: WriteCall): Promise<Result<WrittenMemory>>;
  /** @param ifVersions The change is made at one of these versions alone; at any when it is undefined. */
  correct(
    call: StoreCall & {
      readonly memory_id: string;
      readonly change: MemoryUpdate;
      readonly if_versions: readonly number[] | undefined;
    },
  ): Promise<Result<Memory>>;
  /** Deletes a memory with all its versions: nothing of it is left in the store. */
  forget(memoryId: string, ifVersions: readonly number[] | undefined): Promise<Result<null>>;
  listVersions(request: {
    readonly memoryId?: string | undefined;
    readonly before?: string | undefined;
    readonly limit: number;
  }): Promise<Page<MemoryVersion>>;
  readVersion(versionId: string): Promise<Result<MemoryVersion>>;
  /** Takes the content of this version's memory away, in all versions. */
  redact(versionId: string): Promise<Result<RedactedMemory>>;
  /** Resolves when the job is on disk, which goes on by itself. */
  beginConsolidation(call: ConsolidationCall): Promise<Once<MemoryConsolidation>>;
  /** The newest first. */
  listConsolidations(request: {
    readonly before?: string | undefined;
    readonly limit: number;
  }): Promise<Page<MemoryConsolidation>>;
  readConsolidation(consolidationId: string): Promise<Result<MemoryConsolidation>>;
  /** One that has ended stays as it is. */
  cancelConsolidation(consolidationId: string): Promise<Once<MemoryConsolidation>>;
  /** @param after The last id of the page before; empty for the first one. */
  export(after: string): Promise<ExportedPage>;
  /**
   * Erases everything; repeated it does nothing.
   * @param before When the erasure began: a store that was made after it stays.
   */
  erase(before?: string): Promise<void>;
}

/** The name of a store's object. */
export function memoryObjectName(tenantId: string, storeId: string): string {
  return `${tenantId}:${storeId}`;
}
