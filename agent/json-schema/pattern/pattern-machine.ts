// Searches a text with a regular expression in one pass without backtracking: it follows all alternatives at once (an
// NFA simulation) and caches the transitions between sets of alternatives (a lazy DFA). Lookaheads and lookbehinds are
// searched first, each in a pass of its own.
import { MAX_PATTERN_MEMORY } from "../../../protocol/schemas/limits.ts";
import type { StepBudget } from "../../step-budget.ts";
import {
  AT_END,
  AT_NO_WORD,
  AT_START,
  AT_WORD,
  CHARACTER,
  JUMP,
  LOOKAROUND,
  MATCH,
  SET,
  SPLIT,
  type PatternProgram,
} from "./pattern-program.ts";
import type { PatternText } from "./pattern-text.ts";
import { PROPERTY, PROPERTY_STEPS } from "./property-names.ts";

const END_OF_TEXT = -1;
/** Above every code point. */
const LOOKAROUND_FACTOR = 0x200000;
/** A new transition is an entry or two in a table. */
const FOLLOW_STEPS = 40;
/** The runtime compiles a character set on first use: some microseconds, more for a long one, most for `\p{…}`. */
const SET_STEPS = 500;
const SET_CHARACTER_STEPS = 20;

/**
 * A state of the automaton between two characters: the open alternatives, and what an assertion needs to know of the
 * character before.
 */
interface State {
  readonly open: readonly number[];
  readonly isStart: boolean;
  readonly isAfterWord: boolean;
  /** Transitions by the next character and by which lookarounds hold. */
  readonly next: Map<number, Transition>;
}

interface Transition {
  /** Whether the pattern has matched before the next character. */
  readonly isFound: boolean;
  readonly state: State;
}

export class PatternMachine {
  readonly #program: PatternProgram;
  readonly #budget: StepBudget;
  readonly #lookarounds: readonly PatternMachine[];
  readonly #sets: (RegExp | undefined)[] = [];
  /** The round in which an instruction was last visited. */
  readonly #seen: Uint32Array;
  #round = 0;
  #states = new Map<string, State>();
  #cachedTransitions = 0;
  #start = newState([], true, false);

  constructor(program: PatternProgram, budget: StepBudget) {
    this.#program = program;
    this.#budget = budget;
    this.#seen = new Uint32Array(program.operations.length);
    this.#lookarounds = program.lookarounds.map(
      (lookaround) => new PatternMachine(lookaround, budget),
    );
  }

  /** Costs a step per character, and for each new transition as many steps as there are alternatives. */
  finds(text: PatternText): boolean {
    return this.#run(text, () => true);
  }

  /** For each place, from before the first to after the last character: 1 where the pattern has matched. */
  #places(text: PatternText): Uint8Array {
    const { length } = text.characters;
    const places = new Uint8Array(length + 1);
    this.#run(text, (at) => {
      places[this.#program.isReversed ? length - at : at] = 1;
      return false;
    });
    return places;
  }

  /** @param isEnough Called at each place where the pattern has matched, in reading order; true ends the search. */
  #run(text: PatternText, isEnough: (at: number) => boolean): boolean {
    const { isReversed } = this.#program;
    const characters = isReversed ? text.reversed : text.characters;
    const { length } = characters;
    const lookarounds = this.#lookarounds.map((lookaround) => lookaround.#places(text));
    let state = this.#start;
    for (let at = 0; at <= length; at += 1) {
      const character = at < length ? (characters[at] ?? 0) : END_OF_TEXT;
      const holding =
        lookarounds.length > 0 ? bitsAt(lookarounds, isReversed ? length - at : at) : 0;
      this.#budget.spend(1);
      const transition =
        state.next.get(character + LOOKAROUND_FACTOR * holding) ??
        this.#follow(state, character, holding);
      if (transition.isFound && isEnough(at)) return true;
      ({ state } = transition);
    }
    return false;
  }

  #follow(state: State, character: number, holding: number): Transition {
    if (this.#cachedTransitions >= MAX_PATTERN_MEMORY) this.#clearCache();
    this.#budget.spend(FOLLOW_STEPS);
    const transition = this.#step(state, character, holding);
    state.next.set(character + LOOKAROUND_FACTOR * holding, transition);
    this.#cachedTransitions += 1;
    return transition;
  }

  #step(state: State, character: number, holding: number): Transition {
    const { operations, first, second } = this.#program;
    const isWord = isWordCharacter(character);
    const isBoundary = isWord !== state.isAfterWord;
    const text = character === END_OF_TEXT ? "" : String.fromCodePoint(character);
    const open: number[] = [];
    let isFound = false;
    this.#round += 1;
    // A match may begin at every place.
    const waiting = [0, ...state.open];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.#seen[at] === this.#round) continue;
      this.#seen[at] = this.#round;
      this.#budget.spend(3);
      const one = first[at] ?? 0;
      const other = second[at] ?? 0;
      switch (operations[at]) {
        case MATCH:
          isFound = true;
          break;
        case CHARACTER:
          if (one === character) open.push(at + 1);
          break;
        case SET:
          if (text !== "" && this.#isIn(one, text)) open.push(at + 1);
          break;
        case SPLIT:
          waiting.push(other, one);
          break;
        case JUMP:
          waiting.push(one);
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
        case LOOKAROUND:
          if (((holding >> one) & 1) !== other) waiting.push(at + 1);
          break;
        default:
      }
    }
    return { isFound, state: this.#stateOf(open, isWord) };
  }

  #stateOf(open: readonly number[], isAfterWord: boolean): State {
    const key = `${isAfterWord ? "w" : ""}${open.join()}`;
    const known = this.#states.get(key);
    if (known) return known;
    const state = newState(open, false, isAfterWord);
    this.#states.set(key, state);
    return state;
  }

  /** Clears the cache when it is full: only hostile patterns need so many states. */
  #clearCache(): void {
    this.#states = new Map();
    this.#start = newState([], true, false);
    this.#cachedTransitions = 0;
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

/** One bit for each lookaround, the first lowest. */
function bitsAt(lookarounds: readonly Uint8Array[], place: number): number {
  let bits = 0;
  for (const [index, places] of lookarounds.entries()) bits |= (places[place] ?? 0) << index;
  return bits;
}

function newState(open: readonly number[], isStart: boolean, isAfterWord: boolean): State {
  return { open, isStart, isAfterWord, next: new Map() };
}

/** `\w`: ASCII alone. */
function isWordCharacter(codePoint: number): boolean {
  return (
    (codePoint >= 0x30 && codePoint <= 0x39) ||
    (codePoint >= 0x41 && codePoint <= 0x5a) ||
    codePoint === 0x5f ||
    (codePoint >= 0x61 && codePoint <= 0x7a)
  );
}
