import { SAMPLE_BYTES } from "../../protocol/voice/limits.ts";

/** Audio in the pieces in which it came. Places are bytes from the first one ever, and stay what they are when the beginning is forgotten. */
export class AudioPieces {
  #pieces: Uint8Array[] = [];
  /** The places where the first piece begins and the last one ends. */
  #start = 0;
  #end = 0;

  /** Bytes that are there. */
  get byteLength(): number {
    return this.#end - this.#start;
  }

  /** Copies the piece, which may be a part of something larger. */
  push(piece: Uint8Array): void {
    this.#pieces.push(piece.slice());
    this.#end += piece.byteLength;
  }

  list(): readonly Uint8Array[] {
    return this.#pieces;
  }

  /** Whole samples of what is there of this part; nothing is copied. */
  cut(from: number, to: number): AudioPieces {
    const part = new AudioPieces();
    const start = Math.max(from, this.#start);
    const whole = Math.max(0, Math.min(to, this.#end) - start);
    const end = start + whole - (whole % SAMPLE_BYTES);
    let at = this.#start;
    for (const piece of this.#pieces) {
      const taken = piece.subarray(Math.max(0, start - at), Math.max(0, end - at));
      if (taken.byteLength > 0) part.#pieces.push(taken);
      part.#end += taken.byteLength;
      at += piece.byteLength;
    }
    return part;
  }

  /** Lets go of whole pieces before this place. */
  forget(before: number): void {
    let count = 0;
    for (const { byteLength } of this.#pieces) {
      if (this.#start + byteLength > before) break;
      this.#start += byteLength;
      count += 1;
    }
    if (count > 0) this.#pieces.splice(0, count);
  }
}
