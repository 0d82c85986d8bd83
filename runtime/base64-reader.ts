const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NO_CODE = 255;
const PAD = 61;

const CODES = new Uint8Array(128).fill(NO_CODE);
for (let code = 0; code < ALPHABET.length; code += 1) CODES[ALPHABET.charCodeAt(code)] = code;

/**
 * Decodes any base64 as `decodeBase64` does, piece by piece. That one is not made of this: it runs in clients, whose
 * bundles have ceilings.
 */
export class Base64Reader {
  readonly #bytes: Uint8Array;
  #length = 0;
  #quantum = 0;
  #position = 0;
  #pads = 0;
  #isOver = false;

  /** @param characters Of all pieces together. */
  constructor(characters: number) {
    this.#bytes = new Uint8Array(Math.floor((characters * 3) / 4) + 3);
  }

  add(text: string): void {
    if (this.#isOver) return;
    const bytes = this.#bytes;
    let [length, quantum] = [this.#length, this.#quantum];
    let [position, pads] = [this.#position, this.#pads];
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit === PAD) {
        if (position >= 2) pads += 1;
        if (position >= 2 && position + pads >= 4) {
          this.#isOver = true;
          break;
        }
        continue;
      }
      const code = unit < 128 ? (CODES[unit] ?? NO_CODE) : NO_CODE;
      if (code === NO_CODE) continue;
      pads = 0;
      quantum = ((quantum << 6) | code) & 0xffffff;
      position = (position + 1) % 4;
      // The second, third and fourth character of a quantum each complete one byte.
      if (position === 2) bytes[length++] = quantum >> 4;
      else if (position === 3) bytes[length++] = quantum >> 2;
      else if (position === 0) bytes[length++] = quantum;
    }
    [this.#length, this.#quantum] = [length, quantum];
    [this.#position, this.#pads] = [position, pads];
  }

  /** The bytes, or null when the text has ended within a quantum. */
  finish(): Uint8Array | null {
    const isComplete = this.#isOver || this.#position === 0;
    return isComplete ? this.#bytes.subarray(0, this.#length) : null;
  }
}
