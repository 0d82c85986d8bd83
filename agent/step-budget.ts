// Counts the steps of a computation and ends it when a limit is reached: a deterministic bound on time.

/** Thrown by {@link StepBudget.spend}; each computation catches its own. */
export class StepsSpent extends Error {}

export class StepBudget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** At most the limit. */
  get spent(): number {
    return Math.min(this.#spent, this.limit);
  }

  /**
   * Called before the work is done.
   * @throws {StepsSpent} when the limit is exceeded.
   */
  spend(steps: number): void {
    this.#spent += Math.ceil(steps);
    if (this.#spent > this.limit) throw new StepsSpent();
  }
}
