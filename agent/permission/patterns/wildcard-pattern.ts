// A rule's pattern and what can be known of it before it is compiled: most rules are out by their ends.
import type { Glob, Verdict } from "./glob.ts";
import type { SubjectTexts } from "./subject-texts.ts";

export class WildcardPattern {
  readonly #pattern: string;
  readonly #compile: (pattern: string) => Glob;
  readonly #texts: SubjectTexts;
  /** What stands before the first wildcard and after the last one; null without one. */
  readonly #ends: { readonly head: string; readonly tail: string } | null;
  #glob: Glob | null = null;
  #mayFit: boolean | null = null;

  /** @param texts All that it may be held against. */
  constructor(pattern: string, compile: (pattern: string) => Glob, texts: SubjectTexts) {
    this.#pattern = pattern;
    this.#compile = compile;
    this.#texts = texts;
    this.#ends = findEnds(pattern);
  }

  /** For many texts: false when none of them fits. */
  mayFitAny(): boolean {
    if (!this.#ends || !this.#texts.isIndexed()) return true;
    return (this.#mayFit ??= this.#texts.mayFit(this.#compiled()));
  }

  /** @throws {StepsSpent} */
  fits(text: string): Verdict {
    this.#texts.budget.spend(1);
    if (!this.#ends) return text === this.#pattern ? "yes" : "no";
    const { head, tail } = this.#ends;
    if (!text.startsWith(head) || !text.endsWith(tail)) return "no";
    const glob = this.#compiled();
    return this.mayFitAny() ? this.#texts.match(glob, text) : "no";
  }

  #compiled(): Glob {
    if (!this.#glob) {
      this.#texts.budget.spend(this.#pattern.length);
      this.#glob = this.#compile(this.#pattern);
    }
    return this.#glob;
  }
}

/** Of patterns of either kind. */
function findEnds(pattern: string): { readonly head: string; readonly tail: string } | null {
  const first = pattern.search(/[*?[\\]/);
  if (first < 0) return null;
  let last = pattern.length;
  while (last > 0 && !"*?]\\[".includes(pattern[last - 1] ?? "")) last -= 1;
  return { head: pattern.slice(0, first), tail: pattern.slice(last) };
}
