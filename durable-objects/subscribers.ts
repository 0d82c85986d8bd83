// The open streams of one object: how many there are, and the one heartbeat for all of them.
import { HEARTBEAT_MS, MAX_SUBSCRIBERS } from "../protocol/limits.ts";

export class Subscribers {
  readonly #wake: () => void;
  #open = 0;
  #beats = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** @param wake Lets every waiting stream look again. */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  get isFull(): boolean {
    return this.#open >= MAX_SUBSCRIBERS;
  }

  get count(): number {
    return this.#open;
  }

  /** Counts up every {@link HEARTBEAT_MS} while somebody is subscribed. */
  get beats(): number {
    return this.#beats;
  }

  /** @returns What ends the subscription; calling it twice does no harm. */
  join(): () => void {
    this.#open += 1;
    this.#timer ??= setInterval(() => this.#beat(), HEARTBEAT_MS);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#open -= 1;
      if (this.#open > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #beat(): void {
    this.#beats += 1;
    this.#wake();
  }
}
