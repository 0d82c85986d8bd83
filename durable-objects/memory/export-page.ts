import { EXPORTED_AT_ONCE, MAX_EXPORTED_CHARACTERS } from "../../protocol/memory/limits.ts";
import type { ExportedMemory, ExportedPage } from "../api/memory-api.ts";
import type { MemoryTables } from "./memory-tables.ts";
import type { VersionTable } from "./version-table.ts";

/** Memories with their versions, by id, as many as fit into one answer. @param after As of {@link ExportedPage}. */
export function exportPage(
  tables: MemoryTables,
  versionTable: VersionTable,
  after: string,
): ExportedPage {
  const ids = tables.store ? versionTable.listMemoryIds(after, EXPORTED_AT_ONCE) : [];
  const memories: ExportedMemory[] = [];
  let room = MAX_EXPORTED_CHARACTERS;
  for (const id of ids) {
    const versions = versionTable.list(Number.MAX_SAFE_INTEGER, undefined, id);
    room -= versions.reduce((all, { content }) => all + (content?.length ?? 0), 0);
    // One by itself is on a page, whatever its versions hold.
    if (room < 0 && memories.length > 0) break;
    memories.push({ memory: tables.read(id), versions });
  }
  const isLast = memories.length === ids.length && ids.length < EXPORTED_AT_ONCE;
  return { memories, next: isLast ? null : (ids[memories.length - 1] ?? null) };
}
