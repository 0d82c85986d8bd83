// A rule's pattern, compiled only when its literal prefix and suffix match: most rules are ruled out by these.
import type { Glob, GlobFit } from "./glob.ts";
import type { SubjectTexts } from "./subject-texts.ts";

export class WildcardPattern {
  readonly #pattern: string;
  readonly #compile: (pattern: string) => Glob;
  readonly #texts: SubjectTexts;
  /** The literal text before the first wildcard and after the last one; null without one. */
  readonly #ends: { readonly head: string; readonly tail: string } | null;
  #glob: Glob | null = null;
  #mayFit: boolean | null = null;

  /** @param texts All texts that it may be matched against. */
  constructor(pattern: string, compile: (pattern: string) => Glob, texts: SubjectTexts) {
    this.#pattern = pattern;
    this.#compile = compile;
    this.#texts = texts;
    this.#ends = findEnds(pattern);
  }

  /** False when none of the texts matches. */
  mayFitAny(): boolean {
    if (!this.#ends || !this.#texts.isIndexed()) return true;
    return (this.#mayFit ??= this.#texts.mayFit(this.#compiled()));
  }

  /** @throws {StepsSpent} */
  fits(text: string): GlobFit {
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

/** For both syntaxes of patterns. */
function findEnds(pattern: string): { readonly head: string; readonly tail: string } | null {
  const first = pattern.search(/[*?[\\]/);
  if (first < 0) return null;
  let last = pattern.length;
  while (last > 0 && !"*?]\\[".includes(pattern[last - 1] ?? "")) last -= 1;
  return { head: pattern.slice(0, first), tail: pattern.slice(last) };
}
