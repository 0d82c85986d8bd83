// The bound of what a provider sends: by bytes and by frames, each with a burst that time fills up again.
import type { SocketLimits } from "./socket-limits.ts";

export class FloodGate {
  readonly #limits: SocketLimits;
  readonly #now: () => number;
  #bytes: number;
  #frames: number;
  #at: number;

  constructor(limits: SocketLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#bytes = limits.burstBytes;
    this.#frames = limits.burstFrames;
    this.#at = now();
  }

  /** @returns False for a message that is too much. */
  passes(bytes: number): boolean {
    const { burstBytes, bytesPerSecond, burstFrames, framesPerSecond } = this.#limits;
    const now = this.#now();
    const seconds = Math.max(0, now - this.#at) / 1_000;
    this.#at = now;
    this.#bytes = Math.min(burstBytes, this.#bytes + seconds * bytesPerSecond) - bytes;
    this.#frames = Math.min(burstFrames, this.#frames + seconds * framesPerSecond) - 1;
    return this.#bytes >= 0 && this.#frames >= 0;
  }
}
