// The open streams of one object: how many there are, and the one heartbeat for all of them.
import { HEARTBEAT_MS, MAX_SUBSCRIBERS } from "../protocol/limits.ts";
import { StreamTokens, type StreamToken } from "./stream-tokens.ts";

export interface Subscription {
  /** The token that it was opened with was revoked or has expired. */
  readonly isCut: boolean;
  /** Ends it; calling it twice does no harm. */
  readonly leave: () => void;
}

export class Subscribers {
  readonly #wake: () => void;
  readonly #tokens: StreamTokens;
  #open = 0;
  #beats = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** @param wake Lets every waiting stream look again. */
  constructor(wake: () => void) {
    this.#wake = wake;
    this.#tokens = new StreamTokens(wake);
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

  /** @param token The client token that the stream was opened with, or null. */
  join(token: StreamToken | null): Subscription {
    this.#open += 1;
    this.#timer ??= setInterval(() => this.#beat(), HEARTBEAT_MS);
    const admission = token && this.#tokens.join(token);
    let isOpen = true;
    return {
      get isCut() {
        return admission?.isOver ?? false;
      },
      leave: () => {
        if (!isOpen) return;
        isOpen = false;
        admission?.leave();
        this.#open -= 1;
        if (this.#open > 0 || this.#timer === null) return;
        clearInterval(this.#timer);
        this.#timer = null;
      },
    };
  }

  /** Ends the streams that were opened with a token, at their next look. */
  cut(tokenId: string): void {
    this.#tokens.revoke(tokenId);
  }

  #beat(): void {
    this.#beats += 1;
    this.#wake();
  }
}
