// A TCP proxy on loopback that treats its connections as tunnels and lifts treat those of phones: it cuts them at an
// exact byte, loses answers, falls silent, or takes none at all for a while.
import { createServer, connect, type Socket } from "node:net";

import { skipSocketFrames } from "./skip-socket-frames.ts";

/** The fate of one connection. */
export type Fate =
  | { readonly kind: "pass" }
  /** Closed before a byte of the request has left. */
  | { readonly kind: "refuse" }
  /** Closed when this many bytes of answers were passed on; 0 loses the answer whole. */
  | {
      readonly kind: "cut";
      readonly afterBytes: number;
      /** Counts the bytes behind this many frames of an event stream, or of a WebSocket with its head as the first. */
      readonly afterFrames?: number;
    }
  /** Nothing more after this many bytes of answers, and the connection stays open. */
  | { readonly kind: "stall"; readonly afterBytes: number };

export interface CuttingProxy {
  /** `http://127.0.0.1:<port>`, no slash at the end. */
  readonly url: string;
  /** The fates that were dealt, in the order of the connections. */
  readonly fates: readonly Fate[];
  stop(): Promise<void>;
}

/**
 * @param targetUrl Where connections go on to.
 * @param deal The fate of each connection, by its number from 0.
 * @param of Which connections have fates: all, or WebSockets alone; others then pass.
 */
export async function startCuttingProxy(
  targetUrl: string,
  deal: (connection: number) => Fate,
  of: "connections" | "sockets" = "connections",
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(targetUrl);
  const fates: Fate[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    track(client);
    const meet = (): Fate => {
      const fate = deal(fates.length);
      fates.push(fate);
      if (fate.kind === "refuse") client.destroy();
      return fate;
    };
    let fate = of === "connections" ? meet() : null;
    if (client.destroyed) return;
    const target = track(connect(Number(port), hostname));
    let pass = passAnswers(client, fate, skipFrames);
    client.on("data", (bytes) => {
      if (!fate && UPGRADE.test(bytes.toString("latin1"))) {
        fate = meet();
        pass = passAnswers(client, fate, skipSocketFrames);
      }
      if (!client.destroyed) target.write(bytes);
    });
    client.on("close", () => target.destroy());
    target.on("close", () => client.end());
    target.on("data", (bytes) => pass(bytes));
  });

  function track(socket: Socket): Socket {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    fates,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The head of a request for a WebSocket, whose connection has none before it. */
const UPGRADE = /\r\nupgrade: *websocket\r\n/i;

type SkipFrames = (frames: number) => (bytes: Buffer) => number;

function passAnswers(
  client: Socket,
  fate: Fate | null,
  skipOf: SkipFrames,
): (arrived: Buffer) => void {
  let left = fate?.kind === "cut" || fate?.kind === "stall" ? fate.afterBytes : Infinity;
  const skip = skipOf(fate?.kind === "cut" ? (fate.afterFrames ?? 0) : 0);
  return (arrived) => {
    if (client.destroyed || left < 0) return;
    const skipped = skip(arrived);
    if (skipped > 0) client.write(arrived.subarray(0, skipped));
    const bytes = arrived.subarray(skipped);
    if (skipped > 0 && bytes.length === 0 && left > 0) return;
    if (bytes.length < left) {
      client.write(bytes);
      left -= bytes.length;
      return;
    }
    const last = bytes.subarray(0, left);
    left = -1;
    if (fate?.kind === "cut") client.write(last, () => client.destroy());
    else client.write(last);
  };
}

/** @returns how many bytes of each piece belong to the first frames, up to the blank line of the last one. */
function skipFrames(frames: number): (bytes: Buffer) => number {
  let wanted = frames;
  let isLineEnd = false;
  return (bytes) => {
    let at = 0;
    for (; at < bytes.length && wanted > 0; at += 1) {
      // The head of an answer has its line ends with a CR before them.
      if (bytes[at] === LF && isLineEnd) wanted -= 1;
      isLineEnd = bytes[at] === LF && !isLineEnd;
    }
    return at;
  };
}

const LF = 10;

/** Connections that live for a random number of bytes; now and then one is refused, or its answer is lost whole. */
export function randomFates(
  random: () => number,
  { cuts, maxBytes }: { readonly cuts: number; readonly maxBytes: number },
): (connection: number) => Fate {
  return (connection) => {
    if (connection >= cuts) return { kind: "pass" };
    const roll = random();
    if (roll < 0.1) return { kind: "refuse" };
    if (roll < 0.2) return { kind: "cut", afterBytes: 0 };
    return { kind: "cut", afterBytes: Math.floor(random() * maxBytes) };
  };
}
