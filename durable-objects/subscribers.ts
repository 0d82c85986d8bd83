// The open streams of one object: how many there are, and the one heartbeat for all of them.
import { HEARTBEAT_MS, MAX_SUBSCRIBERS } from "../protocol/limits.ts";

export class Subscribers {
  #open = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  #tick: PromiseWithResolvers<"heartbeat"> = Promise.withResolvers();

  get isFull(): boolean {
    return this.#open >= MAX_SUBSCRIBERS;
  }

  get count(): number {
    return this.#open;
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

  /** Resolves at the next heartbeat. */
  heartbeat(): Promise<"heartbeat"> {
    return this.#tick.promise;
  }

  #beat(): void {
    const tick = this.#tick;
    this.#tick = Promise.withResolvers();
    tick.resolve("heartbeat");
  }
}
