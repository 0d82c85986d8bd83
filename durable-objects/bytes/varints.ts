// Numbers in bytes: seven bits each, the lowest first, the highest bit set in all but the last byte.
const MORE = 0x80;

/** Writes a whole number from 0 up to 2^53 at `at`. @returns The position behind it. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let end = at;
  let rest = value;
  while (rest >= MORE) {
    bytes[end] = (rest % MORE) + MORE;
    rest = Math.floor(rest / MORE);
    end += 1;
  }
  bytes[end] = rest;
  return end + 1;
}

/** Reads numbers and lengths from bytes, in order. */
export class ByteReader {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  get isOver(): boolean {
    return this.position >= this.bytes.byteLength;
  }

  /** @throws at the end of the bytes. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes[this.position];
      if (byte === undefined || scale > Number.MAX_SAFE_INTEGER) throw new RangeError("no number");
      this.position += 1;
      value += (byte % MORE) * scale;
      if (byte < MORE) return value;
      scale *= MORE;
    }
  }

  /** The position of the next `length` bytes, which are passed over. @throws where there are not as many. */
  skip(length: number): number {
    const start = this.position;
    if (start + length > this.bytes.byteLength) throw new RangeError("the bytes end");
    this.position += length;
    return start;
  }
}
