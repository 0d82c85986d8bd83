// Chooses among the memories that a model proposes: none that says what the store, the prompt or a recalled memory says
// already. Pure, and bounded whatever the model has written.
import {
  MAX_MEMORIES_A_RECORDING,
  MAX_NEW_MEMORY_CHARACTERS,
} from "../../protocol/memory/limits.ts";
import { foldedText, piecesOf, shareIn } from "./memory-texts.ts";

/** A memory as a model proposes it. */
export interface ProposedMemory {
  readonly content: string;
  /** The memory that it takes the place of; null for none. */
  readonly supersedes: string | null;
}

export interface KnownMemory {
  readonly id: string;
  readonly content: string;
}

export interface KnownTexts {
  /** Everything that the agent is told by its definition. */
  readonly prompt: string;
  /** Memories that the model was shown: those near to what was said, and those that were recalled. */
  readonly known: readonly KnownMemory[];
}

/** Of the pieces of a memory so many in another text make it a repetition. */
const SAME_SHARE = 0.8;

/** In the order of the proposals. An id that the model was not shown is left out. */
export function chooseMemories(
  proposed: readonly ProposedMemory[],
  { prompt, known }: KnownTexts,
): readonly ProposedMemory[] {
  const promptPieces = piecesOf(foldedText(prompt));
  const shown = new Map(known.map(({ id, content }) => [id, piecesOf(foldedText(content))]));
  const chosen: { readonly memory: ProposedMemory; readonly pieces: ReadonlySet<string> }[] = [];
  const taken = new Set<string>();
  for (const { content, supersedes } of proposed) {
    if (chosen.length >= MAX_MEMORIES_A_RECORDING) break;
    const text = content.trim();
    const folded = foldedText(text);
    if (folded === "" || text.length > MAX_NEW_MEMORY_CHARACTERS) continue;
    const pieces = piecesOf(folded);
    if (shareIn(pieces, promptPieces) >= SAME_SHARE) continue;
    if (chosen.some((one) => isRepetition(pieces, one.pieces))) continue;
    const old =
      supersedes !== null && shown.has(supersedes) && !taken.has(supersedes) ? supersedes : null;
    const isKnown = [...shown].some(
      ([id, other]) => isRepetition(pieces, other) && (id !== old || isSame(pieces, other)),
    );
    if (isKnown) continue;
    if (old !== null) taken.add(old);
    chosen.push({ memory: { content: text, supersedes: old }, pieces });
  }
  return chosen.map(({ memory }) => memory);
}

/** Whether nothing new is in a text beside another. */
function isRepetition(pieces: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return isSame(pieces, other) || [...pieces].every((piece) => other.has(piece));
}

function isSame(pieces: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return pieces.size === other.size && shareIn(pieces, other) === 1;
}
