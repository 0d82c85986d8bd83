/** The moment at which what was appended and not committed at once is committed. */
export class CommitTimer {
  readonly #commit: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(commit: () => void) {
    this.#commit = commit;
  }

  get isSet(): boolean {
    return this.#timer !== null;
  }

  /** In so many milliseconds, whatever it was set to before. */
  set(ms: number): void {
    this.clear();
    this.#timer = setTimeout(this.#commit, ms);
  }

  clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
