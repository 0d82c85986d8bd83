// Whether a regular expression finds anything in a text, in one pass and without going back: all ways through the
// pattern are followed at once, and where a set of ways has been before, what came of it is remembered.
import { MAX_PATTERN_MEMORY } from "../../protocol/limits-validation.ts";
import {
  AT_END,
  AT_NO_WORD,
  AT_START,
  AT_WORD,
  CHARACTER,
  JUMP,
  MATCH,
  SET,
  SPLIT,
  type PatternProgram,
} from "./pattern-program.ts";
import { PROPERTY, PROPERTY_STEPS } from "./property-names.ts";
import type { StepBudget } from "../step-budget.ts";

const END_OF_TEXT = -1;
/** A new way is a new entry in a table or two. */
const FOLLOW_STEPS = 40;
/** The runtime compiles a set when it is first asked: some microseconds, more for a long one, most for `\p{…}`. */
const SET_STEPS = 500;
const SET_CHARACTER_STEPS = 20;

/** Between two characters: the ways that are open, and what an assertion has to know of the character before. */
interface State {
  readonly open: readonly number[];
  readonly isStart: boolean;
  readonly isAfterWord: boolean;
  /** By the next character. */
  readonly next: Map<number, State | "found">;
}

export class PatternMachine {
  readonly #program: PatternProgram;
  readonly #budget: StepBudget;
  readonly #sets: (RegExp | undefined)[] = [];
  /** The round in which an instruction was last looked at. */
  readonly #seen: Uint32Array;
  #round = 0;
  #states = new Map<string, State>();
  #remembered = 0;
  #start: State;

  constructor(program: PatternProgram, budget: StepBudget) {
    this.#program = program;
    this.#budget = budget;
    this.#seen = new Uint32Array(program.operations.length);
    this.#start = newState([], true, false);
  }

  /** Costs a step a character, and each step from one set of ways to a new one as many as there are ways. */
  finds(text: string): boolean {
    let state = this.#start;
    for (let at = 0; at < text.length;) {
      const character = text.codePointAt(at) ?? 0;
      this.#budget.spend(1);
      const next = state.next.get(character) ?? this.#follow(state, character);
      if (next === "found") return true;
      state = next;
      at += character > 0xffff ? 2 : 1;
    }
    this.#budget.spend(1);
    return (state.next.get(END_OF_TEXT) ?? this.#follow(state, END_OF_TEXT)) === "found";
  }

  #follow(state: State, character: number): State | "found" {
    if (this.#remembered >= MAX_PATTERN_MEMORY) this.#forget();
    const next = this.#step(state, character);
    state.next.set(character, next);
    this.#remembered += 1;
    return next;
  }

  #step(state: State, character: number): State | "found" {
    this.#budget.spend(FOLLOW_STEPS);
    const { operations, first, second } = this.#program;
    const isWord = isWordCharacter(character);
    const isBoundary = isWord !== state.isAfterWord;
    const text = character === END_OF_TEXT ? "" : String.fromCodePoint(character);
    const open: number[] = [];
    this.#round += 1;
    // A match may begin here as well as anywhere before.
    const waiting = [0, ...state.open];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.#seen[at] === this.#round) continue;
      this.#seen[at] = this.#round;
      this.#budget.spend(3);
      switch (operations[at]) {
        case MATCH:
          return "found";
        case CHARACTER:
          if (first[at] === character) open.push(at + 1);
          break;
        case SET:
          if (text !== "" && this.#isIn(first[at] ?? 0, text)) open.push(at + 1);
          break;
        case SPLIT:
          waiting.push(second[at] ?? 0, first[at] ?? 0);
          break;
        case JUMP:
          waiting.push(first[at] ?? 0);
          break;
        case AT_START:
          if (state.isStart) waiting.push(at + 1);
          break;
        case AT_END:
          if (character === END_OF_TEXT) waiting.push(at + 1);
          break;
        case AT_WORD:
          if (isBoundary) waiting.push(at + 1);
          break;
        case AT_NO_WORD:
          if (!isBoundary) waiting.push(at + 1);
          break;
        default:
      }
    }
    return this.#stateOf(open, isWord);
  }

  #stateOf(open: readonly number[], isAfterWord: boolean): State {
    const key = `${isAfterWord ? "w" : ""}${open.join()}`;
    const known = this.#states.get(key);
    if (known) return known;
    const state = newState(open, false, isAfterWord);
    this.#states.set(key, state);
    return state;
  }

  /** What only hostile patterns need much of must not fill the memory. */
  #forget(): void {
    this.#states = new Map();
    this.#start = newState([], true, false);
    this.#remembered = 0;
  }

  #isIn(set: number, character: string): boolean {
    let expression = this.#sets[set];
    if (!expression) {
      const source = this.#program.sets[set] ?? "";
      const properties = source.split(PROPERTY).length - 1;
      this.#budget.spend(SET_STEPS + SET_CHARACTER_STEPS * source.length);
      this.#budget.spend(PROPERTY_STEPS * properties);
      expression = new RegExp(`^${source}$`, "u");
      this.#sets[set] = expression;
    }
    this.#budget.spend(3);
    return expression.test(character);
  }
}

function newState(open: readonly number[], isStart: boolean, isAfterWord: boolean): State {
  return { open, isStart, isAfterWord, next: new Map() };
}

/** As `\w` has it, without regard to any other alphabet. */
function isWordCharacter(codePoint: number): boolean {
  return (
    (codePoint >= 0x30 && codePoint <= 0x39) ||
    (codePoint >= 0x41 && codePoint <= 0x5a) ||
    codePoint === 0x5f ||
    (codePoint >= 0x61 && codePoint <= 0x7a)
  );
}
