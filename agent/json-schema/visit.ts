// One schema held against one value: what its keywords find there, and what they can ask for.
import { MAX_CHECK_PROBLEMS } from "../../protocol/limits/validation.ts";
import type { Place } from "./place.ts";
import type { StepBudget } from "../step-budget.ts";

/** A set grows by hashing. */
const SPEAK_STEPS = 6;
/** A problem is an object or two, and mostly dropped. */
const FAIL_STEPS = 40;

export type Fields = Readonly<Record<string, unknown>>;

/** The text is made only when the problem is reported: most failed branches of `anyOf` never are. */
export interface Problem {
  readonly place: Place;
  /** As it goes on after the value's pointer. */
  readonly describe: () => string;
}

/** What was found; without problems the value fits. */
export interface Verdict {
  /** Not all of them, but one when there are any. */
  readonly problems: readonly Problem[];
  /** Members and elements that a keyword has evaluated; empty when the schema has no `unevaluated*`. */
  readonly spokenOf: ReadonlySet<string | number>;
}

export const NOTHING_SPOKEN_OF: ReadonlySet<string | number> = new Set<string | number>();
const NO_PROBLEMS: readonly Problem[] = [];

/** Thrown out of a check: the fault is not the value's. */
export class SchemaUnusable extends Error {}

/** What a check offers to the keywords of its schemas. */
export interface Checker {
  readonly budget: StepBudget;
  /** Whether the schema uses `unevaluatedProperties` or `unevaluatedItems` anywhere. */
  readonly isTracking: boolean;
  check(schema: unknown, value: unknown, place: Place): Verdict;
  /** @param visit Of the schema in which the reference stands. */
  checkReferred(reference: string, visit: Visit, value: unknown): Verdict;
  /** @throws {SchemaUnusable} for a pattern that cannot be matched here. */
  finds(pattern: string, text: string): boolean;
  isRegularExpression(text: string): boolean;
  /** Whether the value is (one of) what the schema's keyword lists. */
  isListed(schema: Fields, keyword: "const" | "enum", value: unknown): boolean;
}

export class Visit {
  readonly checker: Checker;
  readonly schema: Fields;
  readonly place: Place;
  #problems: Problem[] | null = null;
  #spokenOf: Set<string | number> | null = null;

  constructor(checker: Checker, schema: Fields, place: Place) {
    this.checker = checker;
    this.schema = schema;
    this.place = place;
  }

  get problems(): readonly Problem[] {
    return this.#problems ?? NO_PROBLEMS;
  }

  get spokenOf(): ReadonlySet<string | number> {
    return this.#spokenOf ?? NOTHING_SPOKEN_OF;
  }

  spend(steps: number): void {
    this.checker.budget.spend(steps);
  }

  /** @param describe As it goes on after the value's pointer. */
  fail(describe: () => string): void {
    this.spend(FAIL_STEPS);
    this.#add({ place: this.place, describe });
  }

  /** Of the same value, for a keyword whose schemas may fail. */
  ask(schema: unknown, value: unknown): Verdict {
    return this.checker.check(schema, value, this.place);
  }

  /** Of the same value, which has to fit. */
  demand(schema: unknown, value: unknown): void {
    this.#hold(this.ask(schema, value));
  }

  demandReferred(reference: string, value: unknown): void {
    this.#hold(this.checker.checkReferred(reference, this, value));
  }

  #hold(verdict: Verdict): void {
    this.#blame(verdict);
    this.adopt(verdict);
  }

  /** Of a member or an element, which has to fit. */
  demandWithin(schema: unknown, value: unknown, step: string | number): void {
    this.#blame(this.askWithin(schema, value, step));
  }

  askWithin(schema: unknown, value: unknown, step: string | number): Verdict {
    return this.checker.check(schema, value, { parent: this.place, step });
  }

  /** What a schema of the same value has spoken of counts here too, if the value fits it. */
  adopt({ problems, spokenOf }: Verdict): void {
    if (spokenOf.size === 0 || problems.length > 0) return;
    for (const step of spokenOf) this.speakOf(step);
  }

  speakOf(step: string | number): void {
    if (!this.checker.isTracking) return;
    this.spend(SPEAK_STEPS);
    this.#spokenOf ??= new Set();
    this.#spokenOf.add(step);
  }

  /** Tells the reasons of others as this value's. */
  blameAll(verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts) this.#blame(verdict);
  }

  #blame({ problems }: Verdict): void {
    for (const problem of problems) this.#add(problem);
  }

  #add(problem: Problem): void {
    this.#problems ??= [];
    if (this.#problems.length < MAX_CHECK_PROBLEMS) this.#problems.push(problem);
  }
}
