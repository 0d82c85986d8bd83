// "Did you mean …?": the known name that a misspelled one is closest to. No zod: clients may use this file.

/** Characters of a name that is compared; a longer one gets no suggestion, so that the cost of each is bounded. */
const MAX_COMPARED_CHARACTERS = 64;
/** Edits at most: two typing errors, or one letter too many and one too few. */
const MAX_EDITS = 2;

/**
 * The name among `known` that `written` was probably meant to be, or null. Case, `_`, `-` and spaces count for nothing,
 * so that `systemPrompt` finds `system_prompt`. Cost: at most 64 × 64 steps for each known name.
 */
export function suggestName(written: string, known: Iterable<string>): string | null {
  if (written.length > MAX_COMPARED_CHARACTERS) return null;
  const name = plain(written);
  let best: string | null = null;
  // Short names are similar by chance: one edit for every three characters.
  let bestEdits = Math.min(MAX_EDITS, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    if (candidate === written || candidate.length > MAX_COMPARED_CHARACTERS) continue;
    const edits = countEdits(name, plain(candidate), bestEdits);
    if (edits < bestEdits) [best, bestEdits] = [candidate, edits];
    if (edits === 0) break;
  }
  return best;
}

/** The words of a suggestion behind a sentence, such as "; did you mean `name`?"; empty without one. */
export function didYouMean(written: string, known: Iterable<string>): string {
  const name = suggestName(written, known);
  return name === null ? "" : `; did you mean \`${name}\`?`;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, "");
}

/**
 * The edits between two names: a character more, less, another one, or two neighbours in the wrong order (optimal string
 * alignment). @returns `limit` for all counts from there up.
 */
function countEdits(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? at(before, column - 2) + 1 : limit,
      );
    }
    if (Math.min(...current) >= limit) return limit;
    [before, above] = [above, current];
  }
  return Math.min(at(above, right.length), limit);
}

function at(counts: readonly number[], index: number): number {
  return counts[index] ?? Number.POSITIVE_INFINITY;
}
