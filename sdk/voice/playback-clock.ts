// The heard part of the agent's audio, told from when it was handed to a loudspeaker. No timer and no clock of its own.

/** The milliseconds of an item that were heard. */
export interface PlayedAudio {
  readonly item: number;
  readonly ms: number;
}

interface Piece {
  readonly item: number;
  /** Milliseconds of its first sample in the item. */
  readonly ms: number;
  readonly durationMs: number;
  readonly startsAtMs: number;
}

/** Items that are remembered when nothing of them is left to play: a clear may still name one, and late audio may come. */
const MAX_REMEMBERED = 16;

/**
 * One for each connection: numbers of items begin at 1 again with the next.
 *
 * Puts pieces of audio one behind the other on the clock of a loudspeaker, and says what was heard of each item. All times are
 * milliseconds of that clock.
 */
export class PlaybackClock {
  readonly #leadMs: number;
  #pieces: readonly Piece[] = [];
  /** The milliseconds that were told of the newest items. */
  readonly #told = new Map<number, number>();
  #cleared: readonly number[] = [];

  /** @param options.leadMs Between the arrival of a piece and its sound when nothing is playing; default 80. */
  constructor({ leadMs = 80 }: { readonly leadMs?: number } = {}) {
    this.#leadMs = leadMs;
  }

  /** Whether something is still to be heard. */
  get isPlaying(): boolean {
    return this.#pieces.length > 0;
  }

  /** The items of which something may still be to be heard. */
  get items(): readonly number[] {
    return [...new Set(this.#pieces.map(({ item }) => item))];
  }

  /** @returns when its first sample is to be heard; null for an item that was cleared: it is not to be played. */
  take(audio: PlayedAudio & { readonly durationMs: number }, nowMs: number): number | null {
    if (this.#cleared.includes(audio.item)) return null;
    const last = this.#pieces.at(-1);
    const freeAtMs = last ? last.startsAtMs + last.durationMs : -Infinity;
    const startsAtMs = freeAtMs >= nowMs ? freeAtMs : nowMs + this.#leadMs;
    this.#pieces = [...this.#pieces, { ...audio, startsAtMs }];
    return startsAtMs;
  }

  /** The audio heard since the last time, for each item that has got on; to be asked at least every 250 ms. */
  due(nowMs: number): readonly PlayedAudio[] {
    const heard = this.#heard(nowMs);
    this.#pieces = this.#pieces.filter((piece) => piece.startsAtMs + piece.durationMs > nowMs);
    const news = [...heard].filter(([item, ms]) => (this.#told.get(item) ?? 0) !== ms);
    for (const [item, ms] of news) this.#tell(item, ms);
    return news.map(([item, ms]) => ({ item, ms }));
  }

  /** Nothing more of the item is heard. @returns how much of it was, which may be nothing. */
  clear(item: number, nowMs: number): PlayedAudio {
    // Word of other items waits for the next `due`.
    const ms = this.#heard(nowMs).get(item) ?? this.#told.get(item) ?? 0;
    this.#tell(item, ms);
    this.#pieces = this.#pieces.filter((piece) => piece.item !== item);
    this.#cleared = [...this.#cleared, item].slice(-MAX_REMEMBERED);
    return { item, ms };
  }

  /** The heard part of each item, by the last piece of it that has begun. */
  #heard(nowMs: number): ReadonlyMap<number, number> {
    const heard = new Map<number, number>();
    for (const { item, ms, durationMs, startsAtMs } of this.#pieces) {
      const heardMs = Math.min(nowMs - startsAtMs, durationMs);
      if (heardMs >= 0) heard.set(item, Math.round(ms + heardMs));
    }
    return heard;
  }

  #tell(item: number, ms: number): void {
    this.#told.delete(item);
    this.#told.set(item, ms);
    const [oldest] = this.#told.keys();
    if (this.#told.size > MAX_REMEMBERED && oldest !== undefined) this.#told.delete(oldest);
  }
}
