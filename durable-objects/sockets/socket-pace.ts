// The pace at which a socket is sent what is there: `send` has no backpressure, so that our own count is the bound of what
// waits in memory for a client that reads slowly, or not at all.
import {
  MAX_READERS_BYTES,
  MAX_SOCKET_BYTES,
  SOCKET_BURST_BYTES,
  SOCKET_BYTES_PER_SECOND,
} from "../../protocol/events/limits.ts";

const SECOND_MS = 1_000;

export class SocketPace {
  /** Bytes that the client is not known to have had the time to read, as of `#atMs`. */
  #waiting = 0;
  #atMs = Date.now();
  #sent: number;

  /** @param sent What the socket was sent before its object slept, in which time a burst is read. */
  constructor(sent = 0) {
    this.#sent = sent;
  }

  /** Bytes that the socket was sent in all. */
  get sent(): number {
    return this.#sent;
  }

  /** Whether its reader has to go on with another socket. @param readers Of the same object, with this one. */
  isSpent(readers: number): boolean {
    return this.#sent >= Math.min(MAX_SOCKET_BYTES, MAX_READERS_BYTES / readers);
  }

  count(bytes: number): void {
    this.#drain();
    this.#waiting += bytes;
    this.#sent += bytes;
  }

  /** Milliseconds until more may be sent; 0 for now. */
  get waitMs(): number {
    this.#drain();
    const tooMany = this.#waiting - SOCKET_BURST_BYTES;
    return tooMany <= 0 ? 0 : Math.ceil((tooMany / SOCKET_BYTES_PER_SECOND) * SECOND_MS);
  }

  #drain(): void {
    const nowMs = Date.now();
    // Not below zero when the clock was set back.
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    const drained = (passedMs / SECOND_MS) * SOCKET_BYTES_PER_SECOND;
    this.#waiting = Math.max(0, this.#waiting - drained);
  }
}
