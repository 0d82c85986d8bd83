// The texts of one call that rules are matched against, with an index that is built once for all rules.
import type { StepBudget } from "../../step-budget.ts";
import { matchGlob, toCodePoints, type Glob, type GlobFit } from "./glob.ts";
import { BOUNDARY, TextIndex } from "./text-index.ts";

/** Characters of all texts together; below, matching is faster than building the index. */
const MIN_INDEXED_CHARACTERS = 2_048;
/** Rules to match before the index is built. */
const MIN_QUESTIONS = 4;
/** Cost per character of literal pieces relative to others: one or two comparisons instead of up to six. */
const LITERAL_STEPS = 0.5;
const WILDCARD_STEPS = 3;
const MATCH_STEPS = 8;

export class SubjectTexts {
  readonly texts: readonly string[];
  readonly budget: StepBudget;
  readonly #codePoints = new Map<string, Int32Array>();
  #index: TextIndex | null | undefined;
  #questions = 0;

  constructor(texts: readonly string[], budget: StepBudget) {
    this.texts = texts;
    this.budget = budget;
  }

  /**
   * Whether one of the texts may match, judged by the literal parts of the pattern.
   * @throws {StepsSpent} as every method here that spends steps.
   */
  mayFit(glob: Glob): boolean {
    if (!this.isIndexed()) return true;
    for (const run of literalRuns(glob)) {
      this.budget.spend(run.length);
      if (!this.#index?.mayHave(run)) return false;
    }
    return true;
  }

  /** Whether one of the texts may start with this. */
  mayStartWith(start: string): boolean {
    if (!this.isIndexed()) return true;
    this.budget.spend(start.length);
    return this.#index?.mayHave(Int32Array.of(BOUNDARY, ...toCodePoints(start))) ?? true;
  }

  /** Whether a lookup in the index costs less than matching each text. */
  isIndexed(): boolean {
    this.#questions += 1;
    if (this.#questions < MIN_QUESTIONS) return false;
    if (this.#index === undefined) this.#index = this.#makeIndex();
    return this.#index !== null;
  }

  match(glob: Glob, text: string): GlobFit {
    const isLiteral = !glob.literals.includes(0);
    const characters = text.length + glob.elements.length;
    this.budget.spend(MATCH_STEPS + characters * (isLiteral ? LITERAL_STEPS : WILDCARD_STEPS));
    return matchGlob(glob, this.codePointsOf(text));
  }

  codePointsOf(text: string): Int32Array {
    const known = this.#codePoints.get(text);
    if (known) return known;
    this.budget.spend(text.length / 4);
    const codePoints = toCodePoints(text);
    this.#codePoints.set(text, codePoints);
    return codePoints;
  }

  #makeIndex(): TextIndex | null {
    const characters = this.texts.reduce((sum, text) => sum + text.length, 0);
    if (characters < MIN_INDEXED_CHARACTERS) return null;
    this.budget.spend(characters);
    return new TextIndex(this.texts.map((text) => this.codePointsOf(text)));
  }
}

/** The literal runs that a matching text has to contain, with boundaries where a piece is anchored. */
function* literalRuns({ elements, ends }: Glob): Generator<Int32Array, void> {
  let start = 0;
  for (const [piece, end] of ends.entries()) {
    const symbols = [
      ...(piece === 0 ? [BOUNDARY] : []),
      ...elements.subarray(start, end),
      ...(piece === ends.length - 1 ? [BOUNDARY] : []),
    ];
    start = end;
    let runStart = 0;
    for (let at = 0; at <= symbols.length; at += 1) {
      const symbol = symbols[at];
      if (symbol !== undefined && symbol >= BOUNDARY) continue;
      if (at - runStart > 1) yield Int32Array.from(symbols.slice(runStart, at));
      runStart = at + 1;
    }
  }
}
