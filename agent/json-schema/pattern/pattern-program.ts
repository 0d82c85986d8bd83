// Compiles a regular expression's tree into instructions (Thompson's construction), in flat arrays: a pattern may
// repeat its parts a hundred thousand times.
import { countStates, type PatternNode } from "../../../protocol/pattern/pattern-tree.ts";

export const MATCH = 0;
/** Consumes the code point `first`. */
export const CHARACTER = 1;
/** Consumes a character of the set number `first`. */
export const SET = 2;
/** Continues at `first` and at `second`. */
export const SPLIT = 3;
export const JUMP = 4;
/** Assertions: each continues at the next instruction where it holds. */
export const AT_START = 5;
export const AT_END = 6;
export const AT_WORD = 7;
export const AT_NO_WORD = 8;
/** Continues at the next instruction where lookaround number `first` matches, or where it does not if `second` is 1. */
export const LOOKAROUND = 9;

const ASSERTIONS = { start: AT_START, end: AT_END, word: AT_WORD, no_word: AT_NO_WORD } as const;

export interface PatternProgram {
  readonly operations: Uint8Array;
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** The source of each character set, in the runtime's syntax. */
  readonly sets: readonly string[];
  /** The lookaheads and lookbehinds, as programs of their own. */
  readonly lookarounds: readonly PatternProgram[];
  /** Whether it reads a text backwards: a lookahead is searched from the end. */
  readonly isReversed: boolean;
}

const REVERSED = { start: AT_END, end: AT_START, word: AT_WORD, no_word: AT_NO_WORD } as const;

/** Cost: {@link countStates}. */
export function compilePattern(tree: PatternNode, isReversed = false): PatternProgram {
  const lookarounds: PatternProgram[] = [];
  const lookNumbers = new Map<PatternNode, number>();
  const size = countStates(tree) + 1;
  const operations = new Uint8Array(size);
  const first = new Int32Array(size);
  const second = new Int32Array(size);
  const sets: string[] = [];
  const setNumbers = new Map<string, number>();
  let end = 0;
  write(tree);
  add(MATCH);
  return { operations, first, second, sets, lookarounds, isReversed };

  function add(operation: number, one = 0, other = 0): number {
    operations[end] = operation;
    first[end] = one;
    second[end] = other;
    end += 1;
    return end - 1;
  }

  function write(node: PatternNode): void {
    switch (node.type) {
      case "character":
        add(CHARACTER, node.codePoint);
        return;
      case "set":
        add(SET, numberOf(node.source));
        return;
      case "assertion":
        add((isReversed ? REVERSED : ASSERTIONS)[node.holds]);
        return;
      case "look":
        add(LOOKAROUND, lookaroundOf(node), node.isNegative ? 1 : 0);
        return;
      case "sequence":
        for (const part of isReversed ? [...node.parts].reverse() : node.parts) write(part);
        return;
      case "choice":
        writeChoice(node.options);
        return;
      case "repeat":
        writeRepeat(node.part, node.min, node.max);
        return;
      default:
        node satisfies never;
    }
  }

  function writeChoice(options: readonly PatternNode[]): void {
    const jumps: number[] = [];
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        write(option);
      } else {
        const split = add(SPLIT, end + 1);
        write(option);
        jumps.push(add(JUMP));
        second[split] = end;
      }
    }
    for (const jump of jumps) first[jump] = end;
  }

  function writeRepeat(part: PatternNode, min: number, max: number): void {
    let last = end;
    for (let copy = 0; copy < min; copy += 1) {
      last = end;
      write(part);
    }
    if (max === Infinity) {
      if (min > 0) {
        add(SPLIT, last, end + 1);
        return;
      }
      const split = add(SPLIT, end + 1);
      write(part);
      add(JUMP, split);
      second[split] = end;
      return;
    }
    const splits: number[] = [];
    for (let copy = min; copy < max; copy += 1) {
      splits.push(add(SPLIT, end + 1));
      write(part);
    }
    for (const split of splits) second[split] = end;
  }

  /** A lookaround inside a repetition is compiled several times but searched once. */
  function lookaroundOf(node: Extract<PatternNode, { type: "look" }>): number {
    let number = lookNumbers.get(node);
    if (number === undefined) {
      number = lookarounds.push(compilePattern(node.part, node.isAhead)) - 1;
      lookNumbers.set(node, number);
    }
    return number;
  }

  function numberOf(source: string): number {
    const known = setNumbers.get(source);
    if (known !== undefined) return known;
    setNumbers.set(source, sets.length);
    sets.push(source);
    return sets.length - 1;
  }
}
