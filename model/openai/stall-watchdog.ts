// Gives a model's stream up when it is stopped, when nothing has come for too long, or when what comes has brought
// nothing for longer than that.
import type { StopSignal } from "../../agent/ports.ts";
import { HEARTBEAT_STALLS, MAX_MODEL_HEARTBEAT_MS } from "../../protocol/limits/models.ts";

/** Lives as long as one call. `release` must be called. */
export class StallWatchdog {
  readonly #stop: StopSignal;
  readonly #stallMs: number;
  readonly #heartbeatMs: number;
  readonly #controller = new AbortController();
  readonly #abort = (): void => this.release();
  #heardAtMs = 0;
  #saidAtMs = 0;
  #isListening = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param stallMs How long silence may last. */
  constructor(stop: StopSignal, stallMs: number) {
    this.#stop = stop;
    this.#stallMs = stallMs;
    this.#heartbeatMs = Math.min(stallMs * HEARTBEAT_STALLS, MAX_MODEL_HEARTBEAT_MS);
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
    this.#saidAtMs = this.#heardAtMs;
    this.#timer = setTimeout(() => this.#look(), this.#stallMs);
  }

  /**
   * Something came: comments and empty events too, which show that the connection is alive. Called for every piece of
   * a stream, so it only notes the time.
   */
  heard(): void {
    this.#heardAtMs = Date.now();
  }

  /** What came is seen to: until {@link listen} no time counts, however long whoever reads takes for it. */
  attend(): void {
    this.#isListening = false;
  }

  /** @param hasSaid What was seen to has brought something. */
  listen(hasSaid: boolean): void {
    const nowMs = Date.now();
    this.#saidAtMs = hasSaid ? nowMs : this.#saidAtMs + nowMs - this.#heardAtMs;
    this.#heardAtMs = nowMs;
    this.#isListening = true;
  }

  /** Also drops a connection that is still open. */
  release(): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }

  /** One timer for the whole call, not one for each chunk: it goes on for as long as was left. */
  #look(): void {
    const nowMs = Date.now();
    const silenceMs = this.#heardAtMs + this.#stallMs - nowMs;
    const leftMs = Math.min(silenceMs, this.#saidAtMs + this.#heartbeatMs - nowMs);
    if (leftMs <= 0 && this.#isListening) this.release();
    else this.#timer = setTimeout(() => this.#look(), leftMs > 0 ? leftMs : this.#stallMs);
  }
}
