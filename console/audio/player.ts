// The agent's audio: pieces of items one behind the other, stopped at once, with how much of each was heard.
import { fromPcm } from "./pcm.ts";

/** What samples are played by. */
export interface Speaker {
  /** Hz. */
  readonly rate: number;
  /** Moment of what is scheduled now, in seconds. */
  now(): number;
  /** The same of what is heard now: it is behind by the latency of the device. */
  heard(): number;
  /** @returns stops them. */
  play(samples: Float32Array<ArrayBuffer>, at: number): () => void;
}

/** Seconds between the arrival of the first piece and its sound: later ones may come that late. */
const LEAD_SECONDS = 0.08;
/** Items that are remembered when nothing of them is left to play: a clear may still name one, and further pieces may come. */
const MOST_REMEMBERED = 16;

interface Piece {
  readonly item: number;
  /** Milliseconds of its first sample in the item. */
  readonly ms: number;
  readonly at: number;
  readonly seconds: number;
  readonly stop: () => void;
}

export class Player {
  readonly #speaker: Speaker;
  readonly #report: (item: number, ms: number) => void;
  #pieces: Piece[] = [];
  #nextAt = 0;
  /** Milliseconds that were heard of the newest items. */
  readonly #heard = new Map<number, number>();
  #cleared: readonly number[] = [];

  /** @param report Told how much of an item was heard. */
  constructor(speaker: Speaker, report: (item: number, ms: number) => void) {
    this.#speaker = speaker;
    this.#report = report;
  }

  /** Whether something is to be heard yet. */
  get isPlaying(): boolean {
    return this.#pieces.length > 0;
  }

  /** @param ms Of its first sample in the item. */
  push(item: number, ms: number, pcm: Uint8Array): void {
    if (this.#cleared.includes(item)) return;
    const samples = fromPcm(pcm);
    if (samples.length === 0) return;
    const earliest = this.#speaker.now();
    const at = this.#nextAt >= earliest ? this.#nextAt : earliest + LEAD_SECONDS;
    const seconds = samples.length / this.#speaker.rate;
    this.#pieces.push({ item, ms, at, seconds, stop: this.#speaker.play(samples, at) });
    this.#nextAt = at + seconds;
  }

  /** Stops an item, and reports what was heard of it, also when that is nothing. */
  clear(item: number): void {
    this.tick();
    for (const piece of this.#pieces) if (piece.item === item) piece.stop();
    this.#pieces = this.#pieces.filter((piece) => piece.item !== item);
    this.#nextAt = Math.max(0, ...this.#pieces.map(({ at, seconds }) => at + seconds));
    this.#cleared = [...this.#cleared, item].slice(-MOST_REMEMBERED);
    this.#report(item, this.#heard.get(item) ?? 0);
  }

  /** Stops all of it and reports nothing, as when the connection has gone. */
  stop(): void {
    for (const { stop } of this.#pieces) stop();
    this.#pieces = [];
    this.#nextAt = 0;
    this.#heard.clear();
    this.#cleared = [];
  }

  /** Reports what was heard since the last time; to be called a few times a second. */
  tick(): void {
    const now = this.#speaker.heard();
    const begun = this.#pieces.filter(({ at }) => at <= now);
    // Each item that has got on, in order: the last piece of it that has begun.
    const latest = new Map(begun.map((piece) => [piece.item, piece] as const));
    for (const piece of latest.values()) this.#note(piece.item, heardOf(piece, now));
    this.#pieces = this.#pieces.filter(({ at, seconds }) => at + seconds > now);
  }

  #note(item: number, ms: number): void {
    if (this.#heard.get(item) === ms) return;
    this.#heard.delete(item);
    this.#heard.set(item, ms);
    const [oldest] = this.#heard.keys();
    if (this.#heard.size > MOST_REMEMBERED && oldest !== undefined) this.#heard.delete(oldest);
    this.#report(item, ms);
  }
}

/** Milliseconds of its item that were heard when this piece is the last one that has begun. */
function heardOf({ ms, at, seconds }: Piece, now: number): number {
  return Math.round(ms + 1_000 * Math.min(seconds, now - at));
}
