// Checks what a model proposes for a batch of memories: whole answers that lie are refused, and single changes that break a rule
// are passed over. Pure, and bounded whatever the model has written.
import {
  MAX_CHANGES_OF_A_BATCH,
  MAX_MEMORY_CHARACTERS,
  MAX_REPLACED_AT_ONCE,
  MIN_SUPPORTED_SHARE,
} from "../../protocol/memory/limits.ts";
import { comparableWords } from "./comparable-text.ts";
import type { BatchMemory } from "./consolidation-prompt.ts";

/** A change as a model proposes it. */
export interface ProposedChange {
  readonly keep: string;
  readonly replaces: readonly string[];
  /** Null where the memory that stays keeps its text. */
  readonly content: string | null;
}

export type CheckedChanges =
  | {
      readonly ok: true;
      /** Each memory is in one of them at most. */
      readonly changes: readonly ProposedChange[];
      /** Proposals that break a rule. */
      readonly skipped: number;
    }
  | {
      readonly ok: false;
      readonly code: "unknown_memory" | "answer_invalid";
      /** The rest of a sentence that begins with the answer. */
      readonly problem: string;
    };

/** Characters that a text may be longer than what it is made of. */
const MORE_CHARACTERS = 200;

export function checkChanges(
  proposed: readonly ProposedChange[],
  memories: readonly BatchMemory[],
): CheckedChanges {
  if (proposed.length > MAX_CHANGES_OF_A_BATCH) {
    const problem = `has ${proposed.length} changes, and a batch has ${MAX_CHANGES_OF_A_BATCH} at most`;
    return { ok: false, code: "answer_invalid", problem };
  }
  const shown = new Map(memories.map((memory) => [memory.id, memory]));
  const isUnknown = proposed.some(({ keep, replaces }) =>
    [keep, ...replaces].some((id) => !shown.has(id)),
  );
  if (isUnknown) {
    const problem = "names a memory that the model was not shown";
    return { ok: false, code: "unknown_memory", problem };
  }
  const isMixed = memories.some(({ is_untrusted }) => is_untrusted);
  const taken = new Set<string>();
  const changes: ProposedChange[] = [];
  for (const change of proposed) {
    const ids = [change.keep, ...change.replaces];
    const isRepeated = new Set(ids).size < ids.length || ids.some((id) => taken.has(id));
    if (isRepeated) continue;
    const [kept, ...replaced] = ids.flatMap((id) => shown.get(id) ?? []);
    if (!kept || !mayReplace(kept, replaced, { isMixed, content: change.content })) continue;
    for (const id of ids) taken.add(id);
    changes.push({ ...change, content: newContent(kept, change.content) });
  }
  return { ok: true, changes, skipped: proposed.length - changes.length };
}

function mayReplace(
  kept: BatchMemory,
  replaced: readonly BatchMemory[],
  { isMixed, content }: { readonly isMixed: boolean; readonly content: string | null },
): boolean {
  if (replaced.length === 0 || replaced.length > MAX_REPLACED_AT_ONCE) return false;
  // A memory at a path is what its writer says it is, and stays there.
  if (replaced.some(({ has_path }) => has_path)) return false;
  // Among untrusted memories nothing trusted changes or goes: their words may be instructions to the model.
  if (isMixed && replaced.some(({ is_untrusted }) => !is_untrusted)) return false;
  const text = newContent(kept, content);
  if (text === null) return replaced.every((one) => hasCommonWord(one.content, kept.content));
  if (isMixed && !kept.is_untrusted) return false;
  return isMadeOf(
    text,
    [kept, ...replaced].map((one) => one.content),
  );
}

/** Null where it says what stands there. */
function newContent(kept: BatchMemory, content: string | null): string | null {
  // Halves of a surrogate pair cannot be stored.
  const text = content?.trim().replace(/\p{Surrogate}/gu, "\uFFFD") ?? "";
  return text === "" || text === kept.content ? null : text;
}

/** Whether a text says little that is not in the texts that it takes the place of. */
function isMadeOf(text: string, sources: readonly string[]): boolean {
  if (text.length > MAX_MEMORY_CHARACTERS) return false;
  const most = sources.reduce((all, { length }) => all + length, MORE_CHARACTERS);
  if (text.length > most) return false;
  const words = wordsOf(text);
  const known = new Set(sources.flatMap(wordsOf));
  const found = words.filter((word) => known.has(word)).length;
  return words.length > 0 && found / words.length >= MIN_SUPPORTED_SHARE;
}

/** Memories without any are not about one thing. */
function hasCommonWord(one: string, other: string): boolean {
  const words = new Set(wordsOf(one));
  return wordsOf(other).some((word) => words.has(word));
}

function wordsOf(text: string): readonly string[] {
  return comparableWords(text).map((word) => word.text);
}
