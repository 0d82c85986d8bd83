// One visit: a schema applied to a value, with the problems that its keywords report and the operations that they may
// use.
import { MAX_CHECK_PROBLEMS } from "../../protocol/schemas/limits.ts";
import type { Place } from "./place.ts";
import type { StepBudget } from "../step-budget.ts";

/** Cost of adding to a set. */
const MARK_STEPS = 6;
/** A problem allocates an object or two, and is mostly dropped. */
const FAIL_STEPS = 40;

export type Fields = Readonly<Record<string, unknown>>;

/** The text is built only when the problem is reported: most failed branches of `anyOf` never are. */
export interface SchemaProblem {
  readonly place: Place;
  /** The rest of a sentence that begins with the value's pointer. */
  readonly describe: () => string;
}

/** The outcome of a visit; without problems the value fits. */
export interface Verdict {
  /** Not every problem, but at least one when the value does not fit. */
  readonly problems: readonly SchemaProblem[];
  /** Members and elements that a keyword has evaluated; empty when the schema has no `unevaluated*`. */
  readonly evaluated: ReadonlySet<string | number>;
}

export const NOTHING_EVALUATED: ReadonlySet<string | number> = new Set<string | number>();
const NO_PROBLEMS: readonly SchemaProblem[] = [];

/** Thrown when the schema cannot be used: the fault is not the value's. */
export class SchemaUnusable extends Error {}

/** The operations of a check that keywords use. */
export interface Checker {
  readonly budget: StepBudget;
  /** Whether the schema uses `unevaluatedProperties` or `unevaluatedItems` anywhere. */
  readonly isTracking: boolean;
  check(schema: unknown, value: unknown, place: Place): Verdict;
  /** @param visit The visit of the schema that has the reference. */
  checkReferred(reference: string, visit: Visit, value: unknown): Verdict;
  /** @throws {SchemaUnusable} for a pattern that cannot be matched here. */
  finds(pattern: string, text: string): boolean;
  isRegularExpression(text: string): boolean;
  /** Whether the value equals the schema's `const` or one of its `enum`. */
  isListed(schema: Fields, keyword: "const" | "enum", value: unknown): boolean;
}

export class Visit {
  readonly checker: Checker;
  readonly schema: Fields;
  readonly place: Place;
  #problems: SchemaProblem[] | null = null;
  #evaluated: Set<string | number> | null = null;

  constructor(checker: Checker, schema: Fields, place: Place) {
    this.checker = checker;
    this.schema = schema;
    this.place = place;
  }

  get problems(): readonly SchemaProblem[] {
    return this.#problems ?? NO_PROBLEMS;
  }

  get evaluated(): ReadonlySet<string | number> {
    return this.#evaluated ?? NOTHING_EVALUATED;
  }

  spend(steps: number): void {
    this.checker.budget.spend(steps);
  }

  /** @param describe The rest of a sentence that begins with the value's pointer. */
  fail(describe: () => string): void {
    this.spend(FAIL_STEPS);
    this.#add({ place: this.place, describe });
  }

  /** Checks the same value against a subschema that may fail. */
  check(schema: unknown, value: unknown): Verdict {
    return this.checker.check(schema, value, this.place);
  }

  /** Checks the same value against a subschema that has to fit. */
  mustFit(schema: unknown, value: unknown): void {
    this.#hold(this.check(schema, value));
  }

  mustFitReferred(reference: string, value: unknown): void {
    this.#hold(this.checker.checkReferred(reference, this, value));
  }

  #hold(verdict: Verdict): void {
    this.#report(verdict);
    this.addEvaluated(verdict);
  }

  /** Checks a member or an element against a subschema that has to fit. */
  mustFitWithin(schema: unknown, value: unknown, step: string | number): void {
    this.#report(this.checkWithin(schema, value, step));
  }

  checkWithin(schema: unknown, value: unknown, step: string | number): Verdict {
    return this.checker.check(schema, value, { parent: this.place, step });
  }

  /** Adds what a fitting subschema has evaluated to this visit's. */
  addEvaluated({ problems, evaluated }: Verdict): void {
    if (evaluated.size === 0 || problems.length > 0) return;
    for (const step of evaluated) this.markEvaluated(step);
  }

  markEvaluated(step: string | number): void {
    if (!this.checker.isTracking) return;
    this.spend(MARK_STEPS);
    this.#evaluated ??= new Set();
    this.#evaluated.add(step);
  }

  /** Reports the problems of other verdicts as this value's. */
  reportAll(verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts) this.#report(verdict);
  }

  #report({ problems }: Verdict): void {
    for (const problem of problems) this.#add(problem);
  }

  #add(problem: SchemaProblem): void {
    this.#problems ??= [];
    if (this.#problems.length < MAX_CHECK_PROBLEMS) this.#problems.push(problem);
  }
}
