// Changes that a model has chosen for a batch, written to the store. A memory that was changed since the model saw it stays as
// it is.
import type { ProposedChange } from "../../agent/memory/check-changes.ts";
import type { Memory } from "../../protocol/memory/contract.ts";
import type { BatchChoice, ConsolidationCounts } from "./consolidation-rows.ts";
import type { MemoryTables } from "./memory-tables.ts";
import type { MergedTable } from "./merged-table.ts";
import { put, type WriteSettings } from "./write-memory.ts";

type Written = Pick<ConsolidationCounts, "written" | "superseded" | "skipped">;

interface ApplySettings extends Pick<WriteSettings, "ids" | "now"> {
  readonly merged: MergedTable;
  /** By content. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** Within a transaction. */
export function applyChoice(
  tables: MemoryTables,
  { changes, versions, skipped }: Pick<BatchChoice, "changes" | "versions" | "skipped">,
  settings: ApplySettings,
): Written {
  const all = { written: 0, superseded: 0, skipped };
  for (const change of changes) {
    const ids = [change.keep, ...change.replaces];
    const now = ids.flatMap((id) => tables.read(id) ?? []);
    const isAsShown = now.every(({ id, version }) => versions[id] === version);
    const [kept, ...replaced] = now;
    if (!kept || now.length < ids.length || !isAsShown) {
      all.skipped += 1;
      continue;
    }
    if (change.content !== null) {
      rewrite(tables, { ...change, content: change.content }, { kept, replaced }, settings);
      all.written += 1;
    }
    for (const { id } of replaced) settings.merged.merge(id, kept.id);
    all.superseded += replaced.length;
  }
  return all;
}

function rewrite(
  tables: MemoryTables,
  { content }: ProposedChange & { readonly content: string },
  { kept, replaced }: { readonly kept: Memory; readonly replaced: readonly Memory[] },
  { hashes, ...settings }: ApplySettings,
): void {
  const sha256 = hashes.get(content);
  if (sha256 === undefined) throw new Error("a consolidated text has no hash");
  const { id: memory_id, path, source } = kept;
  // A text that is made of an untrusted one is untrusted, whatever the others are.
  const untrusted = [kept, ...replaced].find((one) => one.untrusted !== null)?.untrusted ?? null;
  const version = { memory_id, operation: "consolidated", path, content, sha256 } as const;
  put(tables, settings, { ...version, source, untrusted });
}
