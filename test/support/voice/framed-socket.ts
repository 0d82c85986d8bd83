// The frames of WebSockets by hand, for either side, since tests have to break the rules too.
import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

export const TEXT = 1;
export const BINARY = 2;
const CLOSE = 8;
const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** The server's side of an upgrade. */
export function acceptSocket(duplex: Duplex, { headers }: IncomingMessage): FramedSocket {
  const accept = createHash("sha1")
    .update(`${headers["sec-websocket-key"]}${KEY_SUFFIX}`)
    .digest("base64");
  const [protocol] = (headers["sec-websocket-protocol"] ?? "").split(", ");
  const chosen = protocol ? `Sec-WebSocket-Protocol: ${protocol}\r\n` : "";
  duplex.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${chosen}\r\n`,
  );
  return new FramedSocket(duplex, false);
}

export class FramedSocket {
  onMessage: (opcode: number, payload: Buffer) => void = () => {};
  /** Told once: 1006 for a connection without a close frame. */
  onClose: (code: number, reason: string) => void = () => {};
  readonly #duplex: Duplex;
  readonly #isClient: boolean;
  #bytes = Buffer.alloc(0);
  #isClosed = false;

  /** @param isClient Frames of a client are masked. */
  constructor(duplex: Duplex, isClient: boolean) {
    this.#duplex = duplex;
    this.#isClient = isClient;
    duplex.on("data", (piece: Buffer) => this.#read(piece));
    duplex.on("error", () => this.#closed(1_006, ""));
    duplex.on("close", () => this.#closed(1_006, ""));
  }

  send(opcode: number, payload: Buffer): void {
    if (this.#duplex.destroyed || this.#duplex.writableEnded) return;
    const { length } = payload;
    const head = length < 126 ? Buffer.alloc(2) : Buffer.alloc(length < 65_536 ? 4 : 10);
    head[0] = 0x80 | opcode;
    head[1] = (length < 126 ? length : length < 65_536 ? 126 : 127) | (this.#isClient ? 0x80 : 0);
    if (head.length === 4) head.writeUInt16BE(length, 2);
    if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
    const mask = this.#isClient ? randomBytes(4) : null;
    const body = mask ? masked(payload, mask) : payload;
    this.#duplex.write(Buffer.concat([head, ...(mask ? [mask] : []), body]));
  }

  close(code: number, reason: string): void {
    const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
    payload.writeUInt16BE(code);
    payload.write(reason, 2);
    this.send(CLOSE, payload);
    this.#duplex.end();
  }

  destroy(): void {
    this.#duplex.destroy();
  }

  raw(bytes: Buffer): void {
    this.#duplex.write(bytes);
  }

  /** Ends the connection of TCP as if it were complete. */
  finish(): void {
    this.#duplex.end();
  }

  /** Breaks the connection of TCP. */
  reset(): void {
    if (this.#duplex instanceof Socket) this.#duplex.resetAndDestroy();
  }

  #read(piece: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    for (;;) {
      if (this.#bytes.length < 2) return;
      const opcode = this.#bytes[0]! & 0x0f;
      const isMasked = (this.#bytes[1]! & 0x80) !== 0;
      const short = this.#bytes[1]! & 0x7f;
      const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
      const bodyAt = headBytes + (isMasked ? 4 : 0);
      if (this.#bytes.length < bodyAt) return;
      const length =
        short < 126
          ? short
          : short === 126
            ? this.#bytes.readUInt16BE(2)
            : Number(this.#bytes.readBigUInt64BE(2));
      const end = bodyAt + length;
      if (this.#bytes.length < end) return;
      const body = Buffer.from(this.#bytes.subarray(bodyAt, end));
      const payload = isMasked ? masked(body, this.#bytes.subarray(headBytes, bodyAt)) : body;
      this.#bytes = this.#bytes.subarray(end);
      if (opcode !== CLOSE) {
        this.onMessage(opcode, payload);
        continue;
      }
      this.send(CLOSE, payload);
      this.#duplex.end();
      this.#closed(
        payload.length < 2 ? 1_005 : payload.readUInt16BE(),
        payload.toString("utf8", 2),
      );
    }
  }

  #closed(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onClose(code, reason);
  }
}

function masked(payload: Buffer, mask: Uint8Array): Buffer {
  return Buffer.from(payload.map((byte, index) => byte ^ mask[index % 4]!));
}
