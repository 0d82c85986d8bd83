// Load client for WebSockets over Node's HTTP: without compression, and without the cost of a whole client for each of
// thousands.
import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";
import type { Socket } from "node:net";

export interface PlainSocket {
  send(data: string | Uint8Array): void;
  close(): void;
}

interface Opening {
  readonly url: string;
  readonly protocol?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onMessage: (data: Buffer, isText: boolean) => void;
  /** Told once, of an end that is not the client's own. */
  readonly onLost: (reason: string) => void;
}

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const FINAL = 0x80;
const MASKED = 0x80;
const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Rejects when the upgrade is refused. */
export function openPlainSocket(opening: Opening): Promise<PlainSocket> {
  const { url, protocol, headers = {} } = opening;
  const key = randomBytes(16).toString("base64");
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent: false,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": key,
        ...(protocol !== undefined && { "sec-websocket-protocol": protocol }),
        ...headers,
      },
    });
    sent.on("error", reject);
    sent.once("response", (response) => {
      reject(new Error(`${url} was not upgraded: ${response.statusCode}`));
      response.destroy();
    });
    sent.once("upgrade", (response, socket: Socket, head) => {
      const accepted = createHash("sha1").update(`${key}${KEY_SUFFIX}`).digest("base64");
      if (response.headers["sec-websocket-accept"] !== accepted) {
        reject(new Error(`${url} has answered another key`));
        return;
      }
      resolve(openFrames(socket, head, opening));
    });
    sent.end();
  });
}

function openFrames(socket: Socket, head: Buffer, { onMessage, onLost }: Opening): PlainSocket {
  let rest: Buffer = head;
  let isOver = false;
  const lose = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    onLost(reason);
  };
  const read = (): void => {
    for (let frame = readFrame(rest); frame && !isOver; frame = readFrame(rest)) {
      rest = rest.subarray(frame.bytes);
      const { opcode, payload } = frame;
      if (opcode === TEXT || opcode === BINARY) onMessage(payload, opcode === TEXT);
      else if (opcode === CLOSE)
        lose(`closed: ${payload.length >= 2 ? payload.readUInt16BE() : ""}`);
    }
  };
  socket.setNoDelay(true);
  socket.on("data", (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    read();
  });
  socket.once("error", ({ message }) => lose(message));
  socket.once("close", () => lose("the connection was lost"));
  if (head.length > 0) setImmediate(read);
  return {
    send: (data) => {
      const isText = typeof data === "string";
      socket.write(writeFrame(isText ? TEXT : BINARY, isText ? Buffer.from(data) : data));
    },
    close: () => {
      isOver = true;
      socket.destroy();
    },
  };
}

interface ReadFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly bytes: number;
}

/** The first whole frame; null when its end has not come. Frames of servers are not masked, and these here not split. */
function readFrame(bytes: Buffer): ReadFrame | null {
  if (bytes.length < 2) return null;
  let length = bytes.readUInt8(1);
  let at = 2;
  if (length === 126) {
    if (bytes.length < 4) return null;
    length = bytes.readUInt16BE(2);
    at = 4;
  } else if (length === 127) {
    if (bytes.length < 10) return null;
    length = Number(bytes.readBigUInt64BE(2));
    at = 10;
  }
  const end = at + length;
  if (bytes.length < end) return null;
  return { opcode: bytes.readUInt8(0) & 0x0f, payload: bytes.subarray(at, end), bytes: end };
}

/** With a mask of zeros, which changes nothing of the bytes: the other side takes it off as any. */
function writeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const size = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.alloc(2 + size + 4 + length);
  frame.writeUInt8(FINAL | opcode, 0);
  frame.writeUInt8(MASKED | (size === 0 ? length : size === 2 ? 126 : 127), 1);
  if (size === 2) frame.writeUInt16BE(length, 2);
  if (size === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(payload, 2 + size + 4);
  return frame;
}
