import { BODY_BUFFER_BYTES, BODY_FIRST_BUFFER_BYTES } from "../protocol/requests/limits.ts";

/**
 * Decodes text from chunks. Bytes are collected in a small buffer that is decoded when full: a sender may send single
 * bytes, and a string for each would take many times their size, while one buffer for all would be copied repeatedly as
 * it grows. Memory is not reserved by a declared length.
 */
export class GrowingText {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  #buffer = new Uint8Array(BODY_FIRST_BUFFER_BYTES);
  #buffered = 0;
  #text = "";
  #isText = true;
  #length = 0;

  /** Bytes received. */
  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    this.#length += chunk.byteLength;
    if (this.#buffered + chunk.byteLength > this.#buffer.byteLength) this.#makeRoom(chunk);
    if (chunk.byteLength > this.#buffer.byteLength) return this.#decode(chunk);
    this.#buffer.set(chunk, this.#buffered);
    this.#buffered += chunk.byteLength;
  }

  /** The complete text without byte order mark; null for invalid UTF-8. */
  finish(): string | null {
    this.#flush();
    try {
      return this.#isText ? this.#text + this.#decoder.decode() : null;
    } catch {
      return null;
    }
  }

  #makeRoom({ byteLength }: Uint8Array): void {
    const wanted = this.#buffered + byteLength;
    if (wanted > BODY_BUFFER_BYTES) return this.#flush();
    const grown = new Uint8Array(Math.min(Math.max(wanted, 4 * this.#buffered), BODY_BUFFER_BYTES));
    grown.set(this.#buffer.subarray(0, this.#buffered));
    this.#buffer = grown;
  }

  #flush(): void {
    this.#decode(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  #decode(bytes: Uint8Array): void {
    if (!this.#isText) return;
    try {
      this.#text += this.#decoder.decode(bytes, { stream: true });
    } catch {
      this.#isText = false;
    }
  }
}
