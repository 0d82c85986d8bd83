import { BodyTooBig } from "../../outgoing/body.ts";

/** The bytes that a server may still send, however many answers and streams it spreads them over. */
export class ByteBudget {
  readonly maxBytes: number;
  #left: number;
  #isExceeded = false;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#left = maxBytes;
  }

  /** Whether the server has sent, or announced, more than that. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /** For a body that says its length: nothing of one that is too long is read. @throws {BodyTooBig} */
  announce(bytes: number): void {
    if (bytes > this.#left) this.#exceed();
  }

  /** @throws {BodyTooBig} when there are no more. */
  readonly take = (bytes: number): void => {
    this.#left -= bytes;
    if (this.#left < 0) this.#exceed();
  };

  #exceed(): never {
    this.#isExceeded = true;
    throw new BodyTooBig();
  }
}
