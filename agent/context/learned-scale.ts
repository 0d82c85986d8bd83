// Factor between the estimate of JSON and what a provider counts for it, learned from its reports: identifiers, digits
// and punctuation take far more tokens than prose of the same length, and how many more depends on the provider.
import { MAX_COUNT_RATIO, MIN_LEARNED_TOKENS } from "../../protocol/context/limits.ts";
import type { TokenKinds } from "./token-kinds.ts";

const KINDS = ["prose", "json", "media"] as const;

/** Lives for one execution of a reply. */
export class LearnedScale {
  /** Factors by kind. Only the one of JSON is applied; the others absorb what a report differs by for other reasons. */
  readonly #factors: Record<keyof TokenKinds, number> = { prose: 1, json: 1, media: 1 };
  #before: { readonly kinds: TokenKinds; readonly tokens: number } | null = null;

  /** Tokens that the provider would count, as far as it is known. */
  apply({ prose, json, media }: TokenKinds): number {
    return prose + media + json * this.#factors.json;
  }

  /**
   * Takes a report over. Of two requests of which one continues the other the difference is looked at: it is mostly of
   * one kind, and has nothing of what a provider adds to every request. The factors change as little as they have to so
   * that they say what was reported (the step of Kaczmarz's method), and stay within {@link MAX_COUNT_RATIO}. Less than
   * {@link MIN_LEARNED_TOKENS} teach nothing.
   * @param kinds The estimate of the request.
   * @param tokens Of the same request, as reported.
   */
  learn(kinds: TokenKinds, tokens: number): void {
    const before = this.#before;
    const isContinued = before !== null && KINDS.every((kind) => kinds[kind] >= before.kinds[kind]);
    const added = isContinued ? difference(kinds, before.kinds) : kinds;
    if (sumOf(added) < MIN_LEARNED_TOKENS) return;
    this.#before = { kinds, tokens };
    const reported = isContinued ? tokens - before.tokens : tokens;
    const square = sumOf(added, (kind) => added[kind] ** 2);
    const step = (reported - sumOf(added, (kind) => added[kind] * this.#factors[kind])) / square;
    for (const kind of KINDS) {
      const factor = this.#factors[kind] + step * added[kind];
      this.#factors[kind] = Math.min(Math.max(factor, 1 / MAX_COUNT_RATIO), MAX_COUNT_RATIO);
    }
  }
}

function sumOf(
  kinds: TokenKinds,
  part: (kind: keyof TokenKinds) => number = (kind) => kinds[kind],
): number {
  return KINDS.reduce((sum, kind) => sum + part(kind), 0);
}

function difference(one: TokenKinds, other: TokenKinds): TokenKinds {
  return {
    prose: one.prose - other.prose,
    json: one.json - other.json,
    media: one.media - other.media,
  };
}
