// Rows of a memory store, and what is shown of them.
import type {
  EmbeddingDefinition,
  Memory,
  MemorySource,
  MemoryVersion,
} from "../../protocol/memory/contract.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import type { MemoryOwner } from "../../storage/memory/store-id.ts";

/** An endpoint for embeddings, or none any more, with the version of the agent that says so. */
export type KeptEmbedding = (EmbeddingDefinition | { readonly name?: undefined }) & {
  readonly agent_version: number;
};

export interface StoreRow {
  readonly store_id: string;
  readonly owner: MemoryOwner;
  readonly created_at: string;
  readonly memories: number;
  /** A {@link KeptEmbedding} as JSON. */
  readonly embedding: string | null;
}

/** A version as it is written. */
export interface NewVersion {
  readonly version_id: string;
  readonly memory_id: string;
  readonly operation: MemoryVersion["operation"];
  readonly path: string | null;
  readonly source: MemorySource | null;
  readonly untrusted: UntrustedSource | null;
  readonly content: string;
  readonly content_sha256: string;
  readonly created_at: string;
}

export type MemoryRow = {
  memory_id: string;
  version_id: string;
  version: number;
  path: string | null;
  created_at: string;
  source: string | null;
  untrusted: string | null;
  supersedes: string | null;
  content: string;
  content_sha256: string;
  updated_at: string;
};

export type VersionRow = Omit<MemoryVersion, "id" | "store_id" | "source" | "untrusted"> & {
  version_id: string;
  source: string | null;
  untrusted: string | null;
};

export function readJson<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}

export function toMemory(
  storeId: string,
  { memory_id, source, untrusted, ...row }: MemoryRow,
): Memory {
  const { path, content, content_sha256, version, version_id, supersedes } = row;
  return {
    id: memory_id,
    store_id: storeId,
    path,
    content,
    content_sha256,
    version,
    version_id,
    supersedes,
    source: readJson<MemorySource>(source),
    untrusted: readJson<UntrustedSource>(untrusted),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function toVersion(
  storeId: string,
  { version_id, source, untrusted, ...row }: VersionRow,
): MemoryVersion {
  return {
    id: version_id,
    store_id: storeId,
    ...row,
    source: readJson<MemorySource>(source),
    untrusted: readJson<UntrustedSource>(untrusted),
  };
}
