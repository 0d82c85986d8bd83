// A server of WebSockets on this machine, written by hand, since it has to break the rules too. The path says how it behaves.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

export interface FakeSockets {
  /** `ws://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;

/** Behaviour of a path once the socket is open. */
const BEHAVIOURS: Readonly<
  Record<string, (socket: FakeSocket, incoming: IncomingMessage, query: URLSearchParams) => void>
> = {
  "/echo": (socket) => {
    socket.onMessage = (opcode, payload) => socket.send(opcode, payload);
  },
  "/hello": (socket, { headers, url }) =>
    socket.send(TEXT, Buffer.from(JSON.stringify({ url, headers }))),
  "/binary-json": (socket) => socket.send(BINARY, Buffer.from('{"setupComplete":{}}')),
  "/large": (socket, _incoming, query) =>
    socket.send(TEXT, Buffer.alloc(Number(query.get("bytes")), "a")),
  "/close": (socket, _incoming, query) =>
    socket.close(Number(query.get("code")), query.get("reason") ?? ""),
  "/die": (socket) => {
    socket.send(TEXT, Buffer.from("last words"));
    setTimeout(() => socket.destroy(), 20);
  },
};

export async function startFakeSockets(): Promise<FakeSockets> {
  const open = new Set<Duplex>();
  const server = createServer((_incoming, response) => {
    response.writeHead(426, { "content-type": "application/json" });
    response.end('{"error":{"message":"Upgrade it"}}');
  });
  server.on("upgrade", (incoming, duplex) => {
    open.add(duplex);
    duplex.on("error", () => {}).on("close", () => open.delete(duplex));
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://127.0.0.1");
    if (pathname === "/hang") return;
    if (pathname === "/refuse") refuse(duplex, searchParams);
    else if (pathname === "/flood") flood(duplex);
    else {
      const socket = new FakeSocket(duplex, incoming);
      BEHAVIOURS[pathname]?.(socket, incoming, searchParams);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    url: `ws://127.0.0.1:${address.port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const duplex of open) duplex.destroy();
      await closed;
    },
  };
}

class FakeSocket {
  onMessage: (opcode: number, payload: Buffer) => void = () => {};
  readonly #duplex: Duplex;
  #bytes = Buffer.alloc(0);

  constructor(duplex: Duplex, { headers }: IncomingMessage) {
    this.#duplex = duplex;
    const accept = createHash("sha1")
      .update(`${headers["sec-websocket-key"]}${KEY_SUFFIX}`)
      .digest("base64");
    const [protocol] = (headers["sec-websocket-protocol"] ?? "").split(", ");
    const chosen = protocol ? `Sec-WebSocket-Protocol: ${protocol}\r\n` : "";
    duplex.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${chosen}\r\n`,
    );
    duplex.on("data", (piece: Buffer) => this.#read(piece));
  }

  send(opcode: number, payload: Buffer): void {
    const { length } = payload;
    const head = length < 126 ? Buffer.alloc(2) : Buffer.alloc(length < 65_536 ? 4 : 10);
    head[0] = 0x80 | opcode;
    head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
    if (head.length === 4) head.writeUInt16BE(length, 2);
    if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
    this.#duplex.write(Buffer.concat([head, payload]));
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

  /** Frames of a client are masked. */
  #read(piece: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, piece]);
    for (;;) {
      if (this.#bytes.length < 2) return;
      const opcode = this.#bytes[0]! & 0x0f;
      const short = this.#bytes[1]! & 0x7f;
      const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (this.#bytes.length < headBytes + 4) return;
      const length =
        short < 126
          ? short
          : short === 126
            ? this.#bytes.readUInt16BE(2)
            : Number(this.#bytes.readBigUInt64BE(2));
      const end = headBytes + 4 + length;
      if (this.#bytes.length < end) return;
      const mask = this.#bytes.subarray(headBytes, headBytes + 4);
      const payload = Buffer.from(this.#bytes.subarray(headBytes + 4, end)).map(
        (byte, index) => byte ^ mask[index % 4]!,
      );
      this.#bytes = this.#bytes.subarray(end);
      if (opcode !== CLOSE) this.onMessage(opcode, Buffer.from(payload));
      else {
        this.send(CLOSE, Buffer.from(payload));
        this.#duplex.end();
      }
    }
  }
}

function refuse(duplex: Duplex, query: URLSearchParams): void {
  const body = query.get("body") ?? "";
  duplex.end(
    `HTTP/1.1 ${query.get("status")} No\r\nContent-Type: application/json\r\nLocation: /echo\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function flood(duplex: Duplex): void {
  duplex.write("HTTP/1.1 503 No\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n");
  const write = (): void => {
    while (!duplex.destroyed && duplex.write("no room ".repeat(4_096)));
  };
  duplex.on("drain", write);
  write();
}
