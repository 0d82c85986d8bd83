// A search in a store: by words, and by what texts mean where there is an endpoint for embeddings. Never silently empty: what
// was not found, or not possible, is said.
import type { MemoryFailure } from "../../agent/memory-store.ts";
import { searchedWords } from "../../agent/memory/memory-terms.ts";
import { mergeRanks } from "../../agent/memory/rank-memories.ts";
import { accept, refuse, type Refusal, type Result } from "../../protocol/errors.ts";
import type { Memory } from "../../protocol/memory/contract.ts";
import { MAX_KEYWORD_CHARACTERS, MAX_MEMORY_KEYWORDS } from "../../protocol/memory/limits.ts";
import type { SearchCall } from "../api/memory-api.ts";
import type { MemoryTables } from "./memory-tables.ts";
import { searchByWords } from "./search-memories.ts";
import type { StoreVectors } from "./store-vectors.ts";

export interface StoreSearch {
  readonly memories: readonly Memory[];
  readonly note: string | null;
}

/** Words that a note names at most. */
const NAMED_WORDS = 8;

export async function searchStore(
  tables: MemoryTables,
  vectors: StoreVectors,
  { owner, texts, limit, embedding }: SearchCall,
): Promise<Result<StoreSearch>> {
  const asked = texts
    .slice(0, MAX_MEMORY_KEYWORDS)
    .map((text) => text.slice(0, MAX_KEYWORD_CHARACTERS).toWellFormed());
  const words = searchedWords(asked);
  if (words.length === 0) {
    const detail =
      "there is nothing to look for: a search needs a letter, a digit or a picture in one of its texts";
    return refuse("validation_failed", detail);
  }
  if (!tables.isOf(owner)) return refuse("not_found", "this memory store is another owner's");
  if ((tables.store?.memories ?? 0) === 0)
    return accept({ memories: [], note: "nothing is remembered yet" });
  // The endpoint first: what is read from the tables is of one moment.
  const meant = embedding ? await vectors.find(asked, embedding) : NOTHING_MEANT;
  if (!tables.store) return refuse("not_found", "this memory store was deleted meanwhile");
  const { places } = searchByWords(tables.sql, words, tables.store.memories);
  const orders = meant.memoryIds.length > 0 ? [places, tables.placesOf(meant.memoryIds)] : [places];
  const memories = tables.readPlaces(mergeRanks(orders).slice(0, limit));
  const notes = [meant.note, memories.length === 0 ? noteOf(words) : null];
  const said = notes.filter((note) => note !== null);
  return accept({ memories, note: said.length === 0 ? null : said.join("; ") });
}

const NOTHING_MEANT = { memoryIds: [], note: null } as const;

/** A refusal as the loop is told it. */
export function recallFailure({ code, detail }: Refusal): MemoryFailure {
  if (code === "validation_failed") return { code: "nothing_to_look_for", detail };
  if (code === "quota_exceeded") return { code, detail };
  return { code: code === "not_found" ? "store_gone" : "unavailable", detail };
}

function noteOf(words: readonly { readonly text: string }[]): string {
  const named = words.slice(0, NAMED_WORDS).map(({ text }) => text);
  const more = words.length > NAMED_WORDS ? ", and others" : "";
  return `no memory has any of these words: ${named.join(", ")}${more}`;
}
