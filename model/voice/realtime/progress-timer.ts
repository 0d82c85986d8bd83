// The end of a response that does not go on. One timer for the whole of it, set anew for what is left of the time.

export class ProgressTimer {
  readonly #ms: number;
  readonly #stalled: () => void;
  #atMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ms Without a word of the response, behind which it is given up. */
  constructor(ms: number, stalled: () => void) {
    this.#ms = ms;
    this.#stalled = stalled;
  }

  begin(): void {
    this.note();
    this.#watch(this.#ms);
  }

  /** The response goes on. */
  note(): void {
    this.#atMs = Date.now();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #watch(ms: number): void {
    this.end();
    this.#timer = setTimeout(() => {
      const leftMs = this.#atMs + this.#ms - Date.now();
      if (leftMs > 0) this.#watch(leftMs);
      else this.#stalled();
    }, ms);
  }
}
