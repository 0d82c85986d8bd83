// A loudspeaker without sound: it knows what would be heard when.
import type { VoicePlayer } from "@reprise/sdk";

/** Hz and bytes of a sample of the audio that a voice connection brings unless it asks for another. */
const RATE = 24_000;
const SAMPLE_BYTES = 2;

interface Piece {
  readonly item: number;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

export class TimedPlayer implements VoicePlayer {
  /** Items of which something was not heard. */
  readonly cleared: number[] = [];
  #pieces: readonly Piece[] = [];

  nowMs(): number {
    return performance.now();
  }

  play(pcm: Uint8Array, startsAtMs: number, item: number): void {
    const durationMs = (pcm.byteLength / SAMPLE_BYTES / RATE) * 1_000;
    this.#pieces = [...this.#pieces, { item, startsAtMs, endsAtMs: startsAtMs + durationMs }];
  }

  stop(item: number): void {
    const now = this.nowMs();
    if (this.#pieces.some((piece) => piece.item === item && piece.endsAtMs > now)) {
      this.cleared.push(item);
    }
    this.#pieces = this.#pieces.flatMap((piece): readonly Piece[] => {
      if (piece.item !== item) return [piece];
      return piece.startsAtMs < now ? [{ ...piece, endsAtMs: Math.min(piece.endsAtMs, now) }] : [];
    });
  }

  get isPlaying(): boolean {
    const now = this.nowMs();
    return this.#pieces.some(({ endsAtMs }) => endsAtMs > now);
  }

  /** Milliseconds of sound that were heard in all. */
  get heardMs(): number {
    const now = this.nowMs();
    return this.#pieces.reduce(
      (sum, { startsAtMs, endsAtMs }) => sum + Math.max(0, Math.min(now, endsAtMs) - startsAtMs),
      0,
    );
  }
}
