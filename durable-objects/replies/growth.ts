import { STORED_BYTES_REPORT } from "../../protocol/quotas/limits.ts";

/** Growth of a session without a reply: when the next commit reports it. */
export class Growth {
  /** The size that was told last. In memory: an object that has woken tells it anew. */
  #toldBytes = 0;
  #isExpected = false;

  /** The next commit stores something without a reply. */
  expect(): void {
    this.#isExpected = true;
  }

  /** The next commit changes what lists show of the session, whatever it stores. */
  expectAny(): void {
    this.#isExpected = true;
    this.#toldBytes = -Infinity;
  }

  /** Whether this commit reports the size of the database. */
  take(size: number): boolean {
    if (!this.#isExpected) return false;
    this.#isExpected = false;
    if (size - this.#toldBytes < STORED_BYTES_REPORT) return false;
    this.#toldBytes = size;
    return true;
  }
}
