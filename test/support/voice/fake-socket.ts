// A server of WebSockets on this machine, written by hand, since it has to break the rules too. The path says how it behaves.
import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { acceptSocket, BINARY, TEXT, type FramedSocket } from "./framed-socket.ts";

export interface FakeSockets {
  /** `ws://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Behaviour of a path once the socket is open. */
const BEHAVIOURS: Readonly<
  Record<string, (socket: FramedSocket, incoming: IncomingMessage, query: URLSearchParams) => void>
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
  // Within a frame of 200 bytes: so many of its own and of its head.
  "/break": (socket, _incoming, query) => {
    socket.send(TEXT, Buffer.from("last words"));
    const frame = Buffer.concat([Buffer.from([0x80 | BINARY, 126, 0, 200]), Buffer.alloc(200)]);
    socket.raw(frame.subarray(0, Number(query.get("bytes"))));
    setTimeout(() => (query.get("by") === "reset" ? socket.reset() : socket.finish()), 20);
  },
  // Bytes that are no frame of the protocol.
  "/break-rules": (socket, _incoming, query) => {
    socket.send(TEXT, Buffer.from("last words"));
    socket.raw(Buffer.from((query.get("frame") ?? "").split(",").map(Number)));
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
      const socket = acceptSocket(duplex, incoming);
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
