// Hears one of several connections: whether somebody speaks in it, and what was said before that was sure.
import { TurnDetector } from "../../agent/voice/detect-turns.ts";
import { EAR_MS, LEAST_FRAME_MS } from "../../agent/voice/limits.ts";
import type { TurnSettings } from "../../protocol/voice/contract.ts";

interface HeardPiece {
  readonly pcm: Uint8Array;
  readonly ms: number;
}

/** Milliseconds that a piece counts as: one with a sample, or none, takes memory as well. */
function countedMs({ ms }: HeardPiece): number {
  return Math.max(ms, LEAST_FRAME_MS);
}

export class ConnectionEar {
  readonly #detector: TurnDetector;
  readonly #mostMs: number;
  #kept: HeardPiece[] = [];
  #keptMs = 0;

  /** @param rate Of the audio, which is the model's. */
  constructor(turns: TurnSettings, rate: number) {
    this.#detector = new TurnDetector(turns, rate);
    this.#mostMs = turns.prefix_padding_ms + EAR_MS;
  }

  /** @returns Whether somebody speaks in it, or did within the time that ends a turn. */
  hears(pcm: Uint8Array): boolean {
    this.#detector.push(pcm);
    return this.#detector.isSpeaking;
  }

  /** Audio that is not heard yet. */
  keep(piece: HeardPiece): void {
    this.#kept.push({ ...piece, pcm: piece.pcm.slice() });
    this.#keptMs += countedMs(piece);
    while (this.#keptMs > this.#mostMs) {
      const oldest = this.#kept.shift();
      if (!oldest) return;
      this.#keptMs -= countedMs(oldest);
    }
  }

  /** Audio that was kept, oldest first. */
  take(): readonly HeardPiece[] {
    const kept = this.#kept;
    this.forget();
    return kept;
  }

  forget(): void {
    this.#kept = [];
    this.#keptMs = 0;
  }
}
