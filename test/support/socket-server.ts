// A real WebSocket server on a free port of this machine, which does with each socket what a test says.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** One socket, as its server has it. */
export interface ServedSocket {
  readonly path: string;
  /** The subprotocols that the client has offered. */
  readonly protocols: readonly string[];
  /** The frames that the client has sent: text, or bytes. */
  readonly received: readonly (string | Uint8Array)[];
  /** The client's close; null as long as there is none. */
  readonly closed: { readonly code: number } | null;
  onFrame: (frame: string | Uint8Array) => void;
  send(frame: string | object | Uint8Array): void;
  close(code: number, reason?: string): void;
  /** Without a close. */
  cut(): void;
}

export interface SocketServer {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  readonly sockets: readonly ServedSocket[];
  stop(): Promise<void>;
}

export interface SocketScenes {
  /** Called when a socket is open, with its number from 0. */
  readonly serve: (socket: ServedSocket, number: number) => void;
  /** Answers requests that want no socket. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Refuses the upgrade with this status. */
  readonly refuse?: (number: number) => number | null;
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;

export async function startSocketServer(scenes: SocketScenes): Promise<SocketServer> {
  const sockets: ServedSocket[] = [];
  const connections = new Set<Duplex>();
  const server = createServer((request, response) => {
    request.resume();
    scenes.answer(request, response);
  });
  server.keepAliveTimeout = 0;
  let asked = 0;
  server.on("upgrade", (request: IncomingMessage, connection: Duplex) => {
    connections.add(connection);
    connection.on("error", () => connection.destroy());
    connection.on("close", () => connections.delete(connection));
    const number = asked;
    asked += 1;
    const status = scenes.refuse?.(number) ?? null;
    if (status !== null) {
      connection.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    const socket = new AcceptedSocket(request, connection);
    sockets.push(socket);
    scenes.serve(socket, number);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    sockets,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of connections) connection.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}

class AcceptedSocket implements ServedSocket {
  readonly path: string;
  readonly protocols: readonly string[];
  readonly received: (string | Uint8Array)[] = [];
  closed: { readonly code: number } | null = null;
  onFrame: (frame: string | Uint8Array) => void = () => undefined;
  readonly #connection: Duplex;
  #bytes = Buffer.alloc(0);

  constructor({ url = "", headers }: IncomingMessage, connection: Duplex) {
    this.path = url;
    this.protocols = (headers["sec-websocket-protocol"] ?? "").split(",").map((one) => one.trim());
    this.#connection = connection;
    const key = `${headers["sec-websocket-key"]}${GUID}`;
    const accept = createHash("sha1").update(key).digest("base64");
    connection.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${this.protocols[0]}\r\n\r\n`,
    );
    connection.on("data", (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
      while (this.#takeFrame());
    });
  }

  send(frame: string | object | Uint8Array): void {
    if (frame instanceof Uint8Array) return this.#write(BINARY, Buffer.from(frame));
    const text = typeof frame === "string" ? frame : JSON.stringify(frame);
    this.#write(TEXT, Buffer.from(text));
  }

  close(code: number, reason = ""): void {
    const content = Buffer.concat([Buffer.alloc(2), Buffer.from(reason)]);
    content.writeUInt16BE(code);
    this.#write(CLOSE, content);
  }

  cut(): void {
    this.#connection.destroy();
  }

  #write(kind: number, content: Buffer): void {
    const head = Buffer.alloc(content.length < 126 ? 2 : 10);
    head.writeUInt8(0x80 + kind);
    if (content.length < 126) head.writeUInt8(content.length, 1);
    else {
      head.writeUInt8(127, 1);
      head.writeBigUInt64BE(BigInt(content.length), 2);
    }
    this.#connection.write(Buffer.concat([head, content]));
  }

  /** @returns whether there was a whole frame, which a client masks. */
  #takeFrame(): boolean {
    if (this.#bytes.length < 2) return false;
    const short = this.#bytes.readUInt8(1) & 0x7f;
    const at = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (this.#bytes.length < at + 4) return false;
    const size =
      short === 126
        ? this.#bytes.readUInt16BE(2)
        : short === 127
          ? Number(this.#bytes.readBigUInt64BE(2))
          : short;
    if (this.#bytes.length < at + 4 + size) return false;
    const kind = this.#bytes.readUInt8(0) & 0x0f;
    const mask = this.#bytes.subarray(at, at + 4);
    const content = Buffer.from(this.#bytes.subarray(at + 4, at + 4 + size)).map(
      (byte, index) => byte ^ (mask[index % 4] ?? 0),
    );
    this.#bytes = this.#bytes.subarray(at + 4 + size);
    this.#take(kind, Buffer.from(content));
    return true;
  }

  #take(kind: number, content: Buffer): void {
    if (kind === CLOSE) {
      this.closed ??= { code: content.length < 2 ? 1005 : content.readUInt16BE(0) };
      this.#write(CLOSE, content.subarray(0, 2));
      this.#connection.end();
      return;
    }
    if (kind !== TEXT && kind !== BINARY) return;
    const frame = kind === TEXT ? content.toString() : content;
    this.received.push(frame);
    this.onFrame(frame);
  }
}
