// The way from the page to the platform: plain TCP, which is lost now and then.
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** As long as a train needs for a short one. */
const TUNNEL_MS = 1_200;
const TEXT_DELTA = /"type":"TEXT_MESSAGE_CONTENT".*?"delta":("(?:[^"\\]|\\.)*")/g;

export interface Tunnel {
  /** Where the platform seems to be. Without a slash at its end. */
  readonly url: string;
  /** Cuts every connection, and takes none for a moment. */
  enter(): void;
  /** The same in the middle of a word, as soon as this much of an answer has come through. */
  enterInAWord(afterCharacters: number): void;
  /** The answer as far as it had come through when it was cut in a word; null before. */
  textAtCut(): string | null;
  close(): Promise<void>;
}

/** @param platformUrl Where connections go on to. */
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
    /** What ends with a letter: whether that is inside of a word is known when the next text comes. */
    let held: Buffer | null = null;
    platform.on("close", () => (held ? client.end(held) : client.end()));
    platform.on("data", (bytes) => {
      const before = text;
      // A line that is not whole yet is nothing that anybody was shown.
      const lines = `${line}${decoder.decode(bytes, { stream: true })}`.split("\n");
      line = lines.pop() ?? "";
      for (const [, delta = '""'] of lines.join("\n").matchAll(TEXT_DELTA)) {
        text += JSON.parse(delta) as string;
      }
      if (held && /^\p{L}/u.test(text.slice(before.length))) {
        wantedCharacters = Infinity;
        textAtCut = before;
        // A connection that is reset loses what was sent before: this one ends, in the middle of its answer.
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
