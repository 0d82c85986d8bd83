import { BODY_BUFFER_BYTES, BODY_FIRST_BUFFER_BYTES } from "../protocol/limits/requests.ts";

/**
 * Text whose bytes come in pieces. They are gathered in one small buffer and decoded when it is full: a sender may give
 * them one by one, and a text for each would take many times their size, while a buffer for all of them would be copied
 * again and again as it grows. What was announced reserves nothing.
 */
export class GrowingText {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  #buffer = new Uint8Array(BODY_FIRST_BUFFER_BYTES);
  #buffered = 0;
  #text = "";
  #isText = true;
  #length = 0;

  /** Bytes that have come. */
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

  /** The whole text, without a byte order mark; null when the bytes are not UTF-8. */
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
