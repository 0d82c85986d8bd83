// A TCP proxy between page and platform that can cut connections, like a train's tunnel.
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** Milliseconds without connection. */
const TUNNEL_MS = 1_200;
const TEXT_DELTA = /"type":"TEXT_MESSAGE_CONTENT".*?"delta":("(?:[^"\\]|\\.)*")/g;

export interface Tunnel {
  /** The proxy's URL, without a trailing slash. */
  readonly url: string;
  /** Cuts all connections and refuses new ones for a moment. */
  enter(): void;
  /** Cuts in the middle of a word, after this many characters of an answer. */
  enterInAWord(afterCharacters: number): void;
  /** The part of the answer before that cut; null before it. */
  textAtCut(): string | null;
  close(): Promise<void>;
}

/** @param platformUrl Target of the connections. */
export async function openTunnel(platformUrl: string): Promise<Tunnel> {
  const { hostname, port } = new URL(platformUrl);
  const sockets = new Set<Socket>();
  let closedUntilMs = 0;
  let wantedCharacters = Infinity;
  let text = "";
  let textAtCut: string | null = null;

  const server = createServer((client) => {
    track(client);
    if (Date.now() < closedUntilMs) return void client.destroy();
    const platform = track(connect(Number(port) || 80, hostname));
    client.on("data", (bytes) => platform.write(bytes));
    client.on("close", () => platform.destroy());
    const decoder = new TextDecoder();
    let line = "";
    /** Data that ends with a letter, held back: only the next text shows whether that is within a word. */
    let held: Buffer | null = null;
    platform.on("close", () => (held ? client.end(held) : client.end()));
    platform.on("data", (bytes) => {
      const before = text;
      // Only complete lines have been displayed.
      const lines = `${line}${decoder.decode(bytes, { stream: true })}`.split("\n");
      line = lines.pop() ?? "";
      for (const [, delta = '""'] of lines.join("\n").matchAll(TEXT_DELTA)) {
        text += JSON.parse(delta) as string;
      }
      if (held && /^\p{L}/u.test(text.slice(before.length))) {
        wantedCharacters = Infinity;
        textAtCut = before;
        // A reset could lose data that was sent before, so the connection is ended instead.
        client.end(held, enter);
        held = null;
        return;
      }
      if (held) client.write(held);
      held = text.length >= wantedCharacters && /\p{L}$/u.test(text) ? bytes : null;
      if (!held) client.write(bytes);
    });
  });

  function track(socket: Socket): Socket {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  }

  function enter(): void {
    closedUntilMs = Date.now() + TUNNEL_MS;
    for (const socket of sockets) socket.destroy();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    enter,
    enterInAWord(afterCharacters) {
      text = "";
      wantedCharacters = afterCharacters;
    },
    textAtCut: () => textAtCut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
