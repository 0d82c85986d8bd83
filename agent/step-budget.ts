// Counts what a check does, and ends it when that is too much.

/** Thrown out of a check, and caught where it began: nobody else sees it. */
export class StepsSpent extends Error {}

export class StepBudget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Not above the limit. */
  get spent(): number {
    return Math.min(this.#spent, this.limit);
  }

  /** @throws {StepsSpent} before the work that the steps stand for is done. */
  spend(steps: number): void {
    this.#spent += Math.ceil(steps);
    if (this.#spent > this.limit) throw new StepsSpent();
  }
}
