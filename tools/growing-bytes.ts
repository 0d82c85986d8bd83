import { BODY_BUFFER_BYTES } from "../protocol/limits-requests.ts";

/**
 * Bytes as they come in, in one buffer: a sender may give them one by one, and a piece of text for each would take many
 * times their size. What was announced reserves nothing.
 */
export class GrowingBytes {
  #buffer = new Uint8Array(BODY_BUFFER_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.byteLength;
    if (length > this.#buffer.byteLength) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#buffer.byteLength));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  /** The text, without a byte order mark; null when the bytes are not UTF-8. */
  decode(): string | null {
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
      return decoder.decode(this.#buffer.subarray(0, this.#length));
    } catch {
      return null;
    }
  }
}
