// Reads the body of an upload piece by piece, so that no more than a piece is in memory.
import { FILE_READ_BYTES, MAX_FILE_BYTES } from "../../protocol/files/limits.ts";
import { fieldError, HttpError } from "../http-error.ts";

export class BodyPieces {
  readonly #reader: ReadableStreamBYOBReader;
  #buffer = new ArrayBuffer(FILE_READ_BYTES);
  /** Bytes read so far. */
  bytes = 0;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader({ mode: "byob" });
  }

  /**
   * The next bytes, valid until the next call; null at the end.
   * @throws HttpError 413 for more than {@link MAX_FILE_BYTES}, 400 when the sender has gone.
   */
  async next(): Promise<Uint8Array | null> {
    const { done, value } = await this.#read();
    if (done || value === undefined) return null;
    this.#buffer = value.buffer;
    this.bytes += value.byteLength;
    if (this.bytes > MAX_FILE_BYTES) throw tooLarge();
    return value;
  }

  async #read() {
    try {
      return await this.#reader.read(new Uint8Array(this.#buffer));
    } catch {
      throw fieldError("validation_failed", "#", "the body ended before its announced length");
    }
  }

  /** The bytes up to `length`, or to the end of the body. */
  async readHead(length: number): Promise<Uint8Array> {
    const head = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const { done, value } = await this.#reader
        .read(new Uint8Array(new ArrayBuffer(length - filled)))
        .catch(() => {
          throw fieldError("validation_failed", "#", "the body ended before its announced length");
        });
      if (done || value === undefined) break;
      head.set(value, filled);
      filled += value.byteLength;
    }
    this.bytes += filled;
    if (this.bytes > MAX_FILE_BYTES) throw tooLarge();
    return head.subarray(0, filled);
  }

  /** Stops the transfer. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }
}

export function tooLarge(): HttpError {
  const detail = `a file may have ${MAX_FILE_BYTES} bytes at most`;
  return new HttpError("body_too_large", detail, {
    errors: [{ pointer: "#", detail }],
    extensions: { max_bytes: MAX_FILE_BYTES },
  });
}
