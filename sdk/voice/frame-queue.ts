// Frames that wait for the connection: audio for a moment, since nobody wants to be heard late; what was typed or answered until
// it can be sent.

/** Milliseconds after which audio, and what is about it, is not sent any more. */
const STALE_MS = 2_000;
/** Frames beside audio: a person does not click so often while the connection is away. */
const MAX_KEPT_FRAMES = 100;

interface WaitingFrame {
  readonly data: string | Uint8Array<ArrayBuffer>;
  readonly atMs: number;
  readonly isKept: boolean;
}

export class FrameQueue {
  readonly #maxAudioBytes: number;
  #frames: readonly WaitingFrame[] = [];

  /** @param maxAudioBytes Of the newest audio. */
  constructor(maxAudioBytes: number) {
    this.#maxAudioBytes = maxAudioBytes;
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0;
  }

  /**
   * @param isKept Whether it is sent however late.
   * @returns false when too many wait.
   */
  add(data: string | Uint8Array<ArrayBuffer>, isKept: boolean, nowMs: number): boolean {
    const kept = this.#frames.filter((frame) => frame.isKept);
    if (isKept && kept.length >= MAX_KEPT_FRAMES) return false;
    this.#frames = [...this.#frames, { data, isKept, atMs: nowMs }];
    this.#dropStale(nowMs);
    return true;
  }

  /** The first frame, which leaves the queue; undefined when none is to be sent. */
  take(nowMs: number): string | Uint8Array<ArrayBuffer> | undefined {
    this.#dropStale(nowMs);
    const [first, ...others] = this.#frames;
    this.#frames = others;
    return first?.data;
  }

  #dropStale(nowMs: number): void {
    let bytes = 0;
    // The newest first: what is beyond the bound is the oldest.
    const fresh = [...this.#frames].reverse().filter(({ data, atMs, isKept }) => {
      if (isKept) return true;
      if (typeof data !== "string") bytes += data.byteLength;
      return nowMs - atMs <= STALE_MS && bytes <= this.#maxAudioBytes;
    });
    this.#frames = fresh.reverse();
  }
}
