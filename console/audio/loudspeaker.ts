// The agent's audio on the browser's loudspeaker, by item, with a clock of what is heard.
import { fromPcm } from "./pcm.ts";

/** Output of samples: an audio context. */
export interface SampleOutput {
  /** Hz. */
  readonly rate: number;
  /** Seconds: what is begun now. */
  now(): number;
  /** Seconds from then until it is heard. */
  latency(): number;
  /** @returns stops them. */
  play(samples: Float32Array<ArrayBuffer>, at: number, onEnd: () => void): () => void;
}

interface PlayingPiece {
  readonly item: number;
  readonly stop: () => void;
}

export class Loudspeaker {
  readonly #output: SampleOutput;
  readonly #onChange: (isPlaying: boolean) => void;
  readonly #playing = new Set<PlayingPiece>();
  /** Seconds by which the clock was put back, so that what came too late for its moment is heard at another one. */
  #late = 0;

  /** @param onChange Told when sound begins and when nothing is left of it. */
  constructor(output: SampleOutput, onChange: (isPlaying: boolean) => void) {
    this.#output = output;
    this.#onChange = onChange;
  }

  /** Milliseconds: what is heard now. */
  readonly nowMs = (): number => {
    const output = this.#output;
    return 1_000 * (output.now() - output.latency() - this.#late);
  };

  /** @param startsAtMs When the first sample is to be heard. */
  readonly play = (pcm: Uint8Array, startsAtMs: number, item: number): void => {
    const samples = fromPcm(pcm);
    if (samples.length === 0) return;
    const wanted = startsAtMs / 1_000 + this.#late;
    const at = Math.max(wanted, this.#output.now());
    // The pieces behind it go back as well, or they would begin before it has ended.
    this.#late += at - wanted;
    const piece: PlayingPiece = {
      item,
      stop: this.#output.play(samples, at, () => this.#remove(piece)),
    };
    this.#playing.add(piece);
    if (this.#playing.size === 1) this.#onChange(true);
  };

  /** Nothing more of the item is heard. */
  readonly stop = (item: number): void => {
    for (const piece of this.#playing) {
      if (piece.item !== item) continue;
      piece.stop();
      this.#remove(piece);
    }
  };

  /** Nothing more is heard. */
  stopAll(): void {
    for (const { item } of this.#playing) this.stop(item);
  }

  #remove(piece: PlayingPiece): void {
    if (this.#playing.delete(piece) && this.#playing.size === 0) this.#onChange(false);
  }
}
