// Gives a model's stream up when it is stopped or when nothing has come for too long.
import type { StopSignal } from "../agent/ports.ts";

/** Lives as long as one call. `release` must be called. */
export class StallWatchdog {
  readonly #stop: StopSignal;
  readonly #stallMs: number;
  readonly #controller = new AbortController();
  readonly #abort = (): void => this.release();
  #heardAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stop: StopSignal, stallMs: number) {
    this.#stop = stop;
    this.#stallMs = stallMs;
    stop.addEventListener("abort", this.#abort, { once: true });
  }

  /** For the request: aborted when the call is given up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** From now on silence counts. */
  start(): void {
    if (this.#controller.signal.aborted) return;
    this.#heardAtMs = Date.now();
    this.#timer = setTimeout(() => this.#look(), this.#stallMs);
  }

  /** Something came. Called for every piece of a stream, so it only notes the time. */
  heard(): void {
    this.#heardAtMs = Date.now();
  }

  /** Also drops a connection that is still open. */
  release(): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }

  /** One timer for the whole call, not one for each chunk: it goes on for as long as was left. */
  #look(): void {
    const leftMs = this.#heardAtMs + this.#stallMs - Date.now();
    if (leftMs <= 0) this.release();
    else this.#timer = setTimeout(() => this.#look(), leftMs);
  }
}
