// A correction of one memory: by a person or a key, at the version that they have seen.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Memory, MemoryUpdate } from "../../protocol/memory/contract.ts";
import type { MemoryTables } from "./memory-tables.ts";
import { put, type WriteSettings } from "./write-memory.ts";

export const NO_MEMORY = "there is no such memory";

interface Correction {
  readonly memory_id: string;
  readonly change: MemoryUpdate;
  /** Of the new content; undefined where that stays. */
  readonly sha256: string | undefined;
}

/** Within a transaction. */
export function correctMemory(
  tables: MemoryTables,
  { memory_id, change, sha256 }: Correction,
  settings: Pick<WriteSettings, "ids" | "now">,
): Result<Memory> {
  const before = tables.read(memory_id);
  if (!before) return refuse("not_found", NO_MEMORY);
  const { content = before.content, path = before.path } = change;
  const other = path === null ? null : tables.readAt(path);
  if (other && other.id !== memory_id) {
    const detail = `the memory ${other.id} is at this path; correct that one, or delete it`;
    return refuse("conflict", detail);
  }
  if (content === before.content && path === before.path) return accept(before);
  const isSame = content === before.content;
  const memory = put(tables, settings, {
    memory_id,
    operation: "corrected",
    path,
    content,
    sha256: isSame ? before.content_sha256 : (sha256 ?? before.content_sha256),
    // A correction vouches for its text.
    source: isSame ? before.source : null,
    untrusted: isSame ? before.untrusted : null,
  });
  return accept(memory);
}

/** @param ifVersions The versions at which the memory may be changed; any when it is undefined. */
export function findRefusal(
  tables: MemoryTables,
  memoryId: string,
  ifVersions: readonly number[] | undefined,
): Result<never> | null {
  const memory = tables.store && tables.read(memoryId);
  if (!memory) return refuse("not_found", NO_MEMORY);
  if (ifVersions === undefined || ifVersions.includes(memory.version)) return null;
  const detail = `the memory is at version ${memory.version} now; read it again`;
  return refuse("version_mismatch", detail, { extensions: { version: memory.version } });
}
