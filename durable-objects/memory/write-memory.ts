// Writes one memory: what it is beside those that are there is settled first, in the same transaction.
import type { MemoryOutcome } from "../../agent/memory-store.ts";
import { searchedWords } from "../../agent/memory/memory-terms.ts";
import { settleMemory } from "../../agent/memory/settle-memory.ts";
import type { Memory, MemoryOperation, MemorySource } from "../../protocol/memory/contract.ts";
import {
  COMPARED_MEMORIES,
  MAX_KEYWORD_CHARACTERS,
  MAX_MEMORY_CHARACTERS,
} from "../../protocol/memory/limits.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import type { MonotonicIds } from "../log/monotonic-ids.ts";
import type { MemoryTables } from "./memory-tables.ts";
import { searchByWords } from "./search-memories.ts";

/** A memory as it is to be written. */
export interface GivenMemory {
  readonly content: string;
  /** Of the content. */
  readonly sha256: string;
  readonly path?: string | null;
  readonly untrusted: UntrustedSource | null;
  readonly source: MemorySource | null;
  /** The memory that it corrects. */
  readonly supersedes?: string;
}

export interface WriteSettings {
  readonly ids: MonotonicIds;
  /** Memories that the store can have. */
  readonly most: number;
  readonly now: string;
}

/** Within a transaction. */
export function writeMemory(
  tables: MemoryTables,
  given: GivenMemory,
  settings: WriteSettings,
): MemoryOutcome {
  const problem = findContentProblem(given.content);
  if (problem) return problem;
  const { path = null } = given;
  const atPath = path === null ? null : tables.readAt(path);
  const same = tables.readSame(given.sha256);
  if (same && (path === null || same.path === path)) return duplicateOf(same.id);
  const named = given.supersedes === undefined ? null : tables.read(given.supersedes);
  const before = atPath ?? named;
  if (before) return supersede(tables, before, given, settings);
  // A memory with a path of its own is what its writer says it is.
  const settled =
    path === null ? settleMemory(given.content, similarTo(tables, given.content)) : null;
  if (settled?.kind === "duplicate") return duplicateOf(settled.id);
  const outdated = settled?.kind === "supersedes" ? tables.read(settled.id) : null;
  if (outdated) return supersede(tables, outdated, given, settings);
  if ((tables.store?.memories ?? 0) >= settings.most) return storeFull(settings.most);
  const memory = put(tables, settings, {
    ...given,
    memory_id: settings.ids.next("mem"),
    operation: "recorded",
    path,
  });
  return { kind: "added", memory_id: memory.id, version: 1 };
}

function supersede(
  tables: MemoryTables,
  before: Memory,
  given: GivenMemory,
  settings: WriteSettings,
): MemoryOutcome {
  const memory = put(tables, settings, {
    ...given,
    memory_id: before.id,
    operation: "superseded",
    path: given.path ?? before.path,
  });
  return { kind: "superseded", memory_id: memory.id, version: memory.version };
}

/** Writes a version of a memory, whatever others say. Within a transaction. */
export function put(
  tables: MemoryTables,
  { ids, now }: Pick<WriteSettings, "ids" | "now">,
  version: Omit<GivenMemory, "path"> & {
    readonly memory_id: string;
    readonly operation: MemoryOperation;
    readonly path: string | null;
  },
): Memory {
  const { memory_id, operation, path, content, sha256, source, untrusted } = version;
  return tables.put({
    version_id: ids.next("memver"),
    memory_id,
    operation,
    path,
    source,
    untrusted,
    content,
    content_sha256: sha256,
    created_at: now,
  });
}

function findContentProblem(content: string): Extract<MemoryOutcome, { kind: "refused" }> | null {
  if (content.trim() === "") {
    return { kind: "refused", code: "memory_empty", detail: "a memory is a text" };
  }
  if (content.length <= MAX_MEMORY_CHARACTERS) return null;
  const detail = `a memory has ${MAX_MEMORY_CHARACTERS} characters at most, and this one ${content.length}; record what matters of it`;
  return { kind: "refused", code: "memory_too_long", detail };
}

function storeFull(most: number): MemoryOutcome {
  const detail = `the memory store is full: it has ${most} memories. Nothing new can be remembered until some are deleted; corrections of what is remembered still can`;
  return { kind: "refused", code: "memory_store_full", detail };
}

function duplicateOf(memory_id: string): MemoryOutcome {
  return { kind: "duplicate", memory_id };
}

/** The most similar memories first, by their words: {@link COMPARED_MEMORIES} at most. */
export function similarTo(tables: MemoryTables, content: string): readonly Memory[] {
  const words = searchedWords([content.slice(0, MAX_KEYWORD_CHARACTERS)]);
  const { places } = searchByWords(tables.sql, words, tables.store?.memories ?? 0);
  return tables.readPlaces(places.slice(0, COMPARED_MEMORIES));
}
