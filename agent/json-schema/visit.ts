// One schema held against one value: what its keywords find there, and what they can ask for.
import { MAX_CHECK_PROBLEMS } from "../../protocol/limits-validation.ts";
import { pointerTo, type Place } from "./place.ts";
import type { StepBudget } from "./step-budget.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** What was found; without problems the value fits. */
export interface Verdict {
  /** Each with the pointer of its value before it; not all of them, but one when there are any. */
  readonly problems: readonly string[];
  /** Members and elements that some schema has spoken of; empty where nobody asks. */
  readonly names: ReadonlySet<string>;
  readonly items: ReadonlySet<number>;
}

/** Thrown out of a check: the fault is not the value's. */
export class SchemaUnusable extends Error {}

/** What a check offers to the keywords of its schemas. */
export interface Checker {
  readonly budget: StepBudget;
  /** Whether a schema anywhere asks which members and elements nobody has spoken of. */
  readonly isTracking: boolean;
  check(schema: unknown, value: unknown, place: Place): Verdict;
  /** @param from The schema in which the reference stands. */
  resolve(reference: string, from: Fields): unknown;
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
  readonly problems: string[] = [];
  readonly names = new Set<string>();
  readonly items = new Set<number>();

  constructor(checker: Checker, schema: Fields, place: Place) {
    this.checker = checker;
    this.schema = schema;
    this.place = place;
  }

  spend(steps: number): void {
    this.checker.budget.spend(steps);
  }

  /** @param problem As it goes on after the value's pointer. */
  fail(problem: string): void {
    if (this.problems.length < MAX_CHECK_PROBLEMS) {
      this.problems.push(`${pointerTo(this.place)} ${problem}`);
    }
  }

  /** Of the same value, for a keyword whose schemas may fail. */
  ask(schema: unknown, value: unknown): Verdict {
    return this.checker.check(schema, value, this.place);
  }

  /** Of the same value, which has to fit. */
  demand(schema: unknown, value: unknown): void {
    const verdict = this.ask(schema, value);
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
  adopt({ problems, names, items }: Verdict): void {
    if (!this.checker.isTracking || problems.length > 0) return;
    this.spend(names.size + items.size);
    for (const name of names) this.names.add(name);
    for (const item of items) this.items.add(item);
  }

  speakOf(step: string | number): void {
    if (!this.checker.isTracking) return;
    if (typeof step === "number") this.items.add(step);
    else this.names.add(step);
  }

  /** Tells the reasons of others as this value's. */
  blameAll(verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts) this.#blame(verdict);
  }

  #blame({ problems }: Verdict): void {
    for (const problem of problems) {
      if (this.problems.length < MAX_CHECK_PROBLEMS) this.problems.push(problem);
    }
  }
}
