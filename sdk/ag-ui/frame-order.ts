import type { SseFrame } from "../../protocol/sse.ts";
import { closeOpened } from "./close-opened.ts";
import { isAfter, isTerminal } from "./shown-frames.ts";

/**
 * Which frames are new, and where to go on.
 *
 * A stream may begin with frames that tell how things stand. All of these have the same id, so whether all of them came
 * is not known before another one does: what is cut before that is asked for again from its beginning.
 */
export class FrameOrder {
  #cursor: string | null;
  #prelude: SseFrame[] = [];
  #isConnecting = false;

  /** @param cursor The last frame that the app has; null for none. */
  constructor(cursor: string | null) {
    this.#cursor = cursor;
  }

  /** The last frame that can be gone on after; null while there is none. */
  get cursor(): string | null {
    return this.#cursor;
  }

  /** The next frame is a stream's first. */
  connect(): void {
    this.#isConnecting = true;
  }

  /**
   * Null for a frame that the app has. Otherwise the events to be shown before it: they end what a stream that was cut
   * had begun, since this one begins it again, if it is still open.
   */
  take(frame: SseFrame): readonly object[] | null {
    const closing = this.#isConnecting ? closeOpened(this.#prelude.splice(0)) : [];
    this.#isConnecting = false;
    const { id } = frame;
    if (id === null || (this.#cursor !== null && !isAfter(id, this.#cursor))) return null;
    if (this.#cursor !== null || isTerminal(frame) || (this.#prelude[0]?.id ?? id) !== id) {
      this.#cursor = id;
      this.#prelude = [];
    } else this.#prelude.push(frame);
    return closing;
  }
}
