// A TCP proxy that can be cut, as a network is.
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface Line {
  /** The proxy's URL, without a trailing slash. */
  readonly url: string;
  /** Cuts all connections, and refuses new ones until `restore`. @returns how many there were. */
  cut(): number;
  restore(): void;
  close(): Promise<void>;
}

/** @param target URL whose host the connections go to. */
export async function openLine(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;

  const server = createServer((client) => {
    if (isCut) return void client.resetAndDestroy();
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, far],
      [far, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.end();
      });
      socket.pipe(other);
    }
  });

  function hangUp(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      const connections = sockets.size / 2;
      hangUp();
      return connections;
    },
    restore() {
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        hangUp();
      }),
  };
}
