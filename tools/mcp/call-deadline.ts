// The time of one exchange with an MCP server: how long it may be silent, and how long it may take in all.
import type { StopSignal } from "../../agent/ports.ts";

export interface DeadlineSettings {
  /** Milliseconds without a sign of life. */
  readonly idleMs: number;
  /** Milliseconds in all. */
  readonly totalMs: number;
}

export class CallDeadline {
  readonly #controller = new AbortController();
  readonly #stop: StopSignal;
  readonly #idleMs: number;
  #whole: ReturnType<typeof setTimeout>;
  #idle: ReturnType<typeof setTimeout>;
  #passedMs: number | null = null;
  readonly #totalMs: number;
  #leftMs: number;
  #countsFrom = Date.now();
  #isHeld = false;

  constructor({ idleMs, totalMs }: DeadlineSettings, stop: StopSignal) {
    this.#stop = stop;
    this.#idleMs = idleMs;
    this.#idle = setTimeout(() => this.#pass(idleMs), idleMs);
    this.#totalMs = totalMs;
    this.#leftMs = totalMs;
    this.#whole = setTimeout(() => this.#pass(totalMs), totalMs);
    stop.addEventListener("abort", this.release, { once: true });
    if (stop.aborted) this.release();
  }

  /** Aborted when the time is over, when the caller stops, and at the end: it closes what is still open. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The milliseconds that have passed in vain; null when time was not the reason. */
  get passedMs(): number | null {
    return this.#passedMs;
  }

  /** Milliseconds that the server may be silent. */
  get idleMs(): number {
    return this.#idleMs;
  }

  get isStopped(): boolean {
    return this.#stop.aborted;
  }

  /** The caller's. */
  get stop(): StopSignal {
    return this.#stop;
  }

  /** The server has made progress. */
  touch(): void {
    if (this.#controller.signal.aborted || this.#isHeld) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#pass(this.#idleMs), this.#idleMs);
  }

  /** The time stands still: a person was asked. */
  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    clearTimeout(this.#idle);
    clearTimeout(this.#whole);
    this.#leftMs = Math.max(this.#leftMs - (Date.now() - this.#countsFrom), 0);
  }

  /** Goes on, with the whole time for silence. */
  resume(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#countsFrom = Date.now();
    if (this.#controller.signal.aborted) return;
    this.#whole = setTimeout(() => this.#pass(this.#totalMs), this.#leftMs);
    this.touch();
  }

  readonly release = (): void => {
    clearTimeout(this.#idle);
    clearTimeout(this.#whole);
    this.#stop.removeEventListener("abort", this.release);
    this.#controller.abort();
  };

  #pass(waitedMs: number): void {
    this.#passedMs = waitedMs;
    this.release();
  }
}
