/** Waiters for the connection. */
export class ConnectionWaiters {
  readonly #waiting = new Set<{ resolve: () => void; reject: (error: unknown) => void }>();

  wait(): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.add({ resolve, reject }));
  }

  open(): void {
    for (const { resolve } of this.#waiting) resolve();
    this.#waiting.clear();
  }

  fail(error: unknown): void {
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting.clear();
  }
}
