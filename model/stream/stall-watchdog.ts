// Aborts a model's stream when the reply is stopped, when no data arrives for too long, or when data arrives without
// content for even longer.
import type { StopSignal } from "../../agent/ports.ts";
import { HEARTBEAT_STALLS, MAX_MODEL_HEARTBEAT_MS } from "../../protocol/models/limits.ts";

/** The watchdog of one call. `release` must be called. */
export class StallWatchdog {
  readonly #stop: StopSignal;
  readonly #stallMs: number;
  readonly #heartbeatMs: number;
  readonly #controller = new AbortController();
  readonly #abort = (): void => this.release();
  #heardAtMs = 0;
  #saidAtMs = 0;
  #isListening = true;
  #hasStalled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param stallMs Milliseconds of silence allowed. */
  constructor(stop: StopSignal, stallMs: number) {
    this.#stop = stop;
    this.#stallMs = stallMs;
    this.#heartbeatMs = Math.min(stallMs * HEARTBEAT_STALLS, MAX_MODEL_HEARTBEAT_MS);
    stop.addEventListener("abort", this.#abort, { once: true });
  }

  /** For the request: aborted when the call is abandoned. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it has abandoned the stream. */
  get hasStalled(): boolean {
    return this.#hasStalled;
  }

  /** Starts counting silence, anew for another request of the same call. */
  start(): void {
    if (this.#controller.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#isListening = true;
    this.#heardAtMs = Date.now();
    this.#saidAtMs = this.#heardAtMs;
    this.#timer = setTimeout(() => this.#look(), this.#stallMs);
  }

  /**
   * Records that data arrived, including comments and empty events, which show that the connection is alive. Called for
   * every chunk, so it only stores the time.
   */
  heard(): void {
    this.#heardAtMs = Date.now();
  }

  /** Pauses the clock while received data is processed, until {@link listen}. */
  attend(): void {
    this.#isListening = false;
  }

  /** @param hasSaid Whether the processed data had content. */
  listen(hasSaid: boolean): void {
    const nowMs = Date.now();
    this.#saidAtMs = hasSaid ? nowMs : this.#saidAtMs + nowMs - this.#heardAtMs;
    this.#heardAtMs = nowMs;
    this.#isListening = true;
  }

  /** Counts no silence until {@link start}: another request is made. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the watchdog and closes a connection that is still open. */
  release(): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }

  /** One timer for the whole call instead of one per chunk: on expiry it is rearmed for the remaining time. */
  #look(): void {
    const nowMs = Date.now();
    const silenceMs = this.#heardAtMs + this.#stallMs - nowMs;
    const leftMs = Math.min(silenceMs, this.#saidAtMs + this.#heartbeatMs - nowMs);
    if (leftMs <= 0 && this.#isListening) {
      this.#hasStalled = true;
      this.release();
    } else this.#timer = setTimeout(() => this.#look(), leftMs > 0 ? leftMs : this.#stallMs);
  }
}
