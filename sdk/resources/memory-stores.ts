import type {
  Memory,
  MemoryCreateSchema,
  MemoryStoreCreateSchema,
  MemoryStoreRecord,
  MemoryVersion,
  RedactedMemory,
} from "../../protocol/memory/contract.ts";
import type {
  MemoryConsolidation,
  MemoryConsolidationCreateSchema,
} from "../../protocol/memory/consolidation.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { postTo } from "../transport/write-requests.ts";
import { collection, type Collection } from "./collection.ts";
import { memoriesAt, type MemoriesHandle } from "./memories-at.ts";

export interface MemoryStoreFilter extends ListQuery {
  readonly agent_id?: string;
  readonly end_user_id?: string;
}

/** The memories of one store. */
export interface StoredMemories extends MemoriesHandle {
  /** A memory that says the same, or has the same path, is the one that is answered. */
  create(memory: InputOf<typeof MemoryCreateSchema>, options?: RequestOptions): Promise<Memory>;
  get(id: string, options?: RequestOptions): Promise<Memory>;
  /** Newest first, of all memories or of one. */
  versions(
    query?: ListQuery & { readonly memory_id?: string },
    options?: RequestOptions,
  ): Paged<MemoryVersion>;
  version(id: string, options?: RequestOptions): Promise<MemoryVersion>;
  /** Takes the content of this version's memory away, in all versions. */
  redact(versionId: string, options?: RequestOptions): Promise<RedactedMemory>;
}

/** Jobs in which a model settles what memories of a store say twice, or otherwise. */
export interface Consolidations {
  /** The job goes on by itself; one runs at a time for a store. */
  create(
    job?: InputOf<typeof MemoryConsolidationCreateSchema>,
    options?: RequestOptions,
  ): Promise<MemoryConsolidation>;
  /** Newest first. */
  list(query?: ListQuery, options?: RequestOptions): Paged<MemoryConsolidation>;
  get(id: string, options?: RequestOptions): Promise<MemoryConsolidation>;
  /** Versions that were written stay, and so does a job that has ended. */
  cancel(id: string, options?: RequestOptions): Promise<MemoryConsolidation>;
}

/** Stores of what agents remember: one for each agent and end user, or for an agent. */
export interface MemoryStores extends Omit<
  Collection<
    MemoryStoreRecord,
    InputOf<typeof MemoryStoreCreateSchema>,
    MemoryStoreRecord,
    never,
    MemoryStoreFilter
  >,
  "update"
> {
  memories(storeId: string): StoredMemories;
  consolidations(storeId: string): Consolidations;
}

export function memoryStoresOf(transport: Transport): MemoryStores {
  return {
    ...collection<
      MemoryStoreRecord,
      InputOf<typeof MemoryStoreCreateSchema>,
      MemoryStoreRecord,
      never,
      MemoryStoreFilter
    >(transport, "memory-stores"),
    memories: (storeId) => storedMemories(transport, storeId),
    consolidations: (storeId) => {
      const path = ["memory-stores", storeId, "consolidations"];
      return {
        ...collection<MemoryConsolidation>(transport, ...path),
        cancel: (id, options) => postTo(transport, [...path, id, "cancel"], undefined, options),
      };
    },
  };
}

function storedMemories(transport: Transport, storeId: string): StoredMemories {
  const memories = ["memory-stores", storeId, "memories"];
  const versions = ["memory-stores", storeId, "versions"];
  return {
    ...memoriesAt(transport, memories),
    create: (memory, options) => postTo(transport, memories, memory, options),
    get: (id, options) => transport.get([...memories, id], options),
    versions: (query, options) => transport.list(versions, query, options),
    version: (id, options) => transport.get([...versions, id], options),
    redact: (id, options) => postTo(transport, [...versions, id, "redact"], undefined, options),
  };
}
