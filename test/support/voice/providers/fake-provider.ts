// The ground of fake realtime providers: a server of WebSockets with JSON frames on this machine.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";

import { waitUntil } from "../../wait-for.ts";
import { acceptSocket, BINARY, TEXT, type FramedSocket } from "../framed-socket.ts";

export type Frame = Readonly<Record<string, unknown>>;

/** A refusal of upgrades, or none of an answer at all. */
export type Refusal = { readonly status: number; readonly body: string } | "hang";

/** One connection, as the provider has it. */
export class ProviderClient {
  /** All frames that came, in order. */
  readonly frames: Frame[] = [];
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  isOpen = true;
  /** The close of the client; null while there is none. */
  closed: { readonly code: number; readonly reason: string } | null = null;
  /** Texts in place of a frame. */
  mangle: ((frame: object) => readonly string[]) | null = null;
  readonly #socket: FramedSocket;

  constructor(socket: FramedSocket, url: string, headers: IncomingHttpHeaders) {
    this.#socket = socket;
    this.url = url;
    this.headers = headers;
  }

  send(frame: object): void {
    const texts = this.mangle?.(frame) ?? [JSON.stringify(frame)];
    for (const text of texts) this.sendText(text);
  }

  sendText(text: string): void {
    if (this.isOpen) this.#socket.send(TEXT, Buffer.from(text));
  }

  /** JSON in a binary frame. */
  sendBinary(frame: object): void {
    const texts = this.mangle?.(frame) ?? [JSON.stringify(frame)];
    for (const text of texts) if (this.isOpen) this.#socket.send(BINARY, Buffer.from(text));
  }

  close(code: number, reason = ""): void {
    this.isOpen = false;
    this.#socket.close(code, reason);
  }

  /** Lost without a close frame. */
  destroy(): void {
    this.isOpen = false;
    this.#socket.destroy();
  }
}

interface FakeProviderOptions {
  /** A connection has opened. @returns What is done with each of its frames. */
  readonly onClient: (client: ProviderClient) => (frame: Frame) => void;
  /** As of now, for each upgrade. */
  readonly refusal: () => Refusal | null;
}

export class FakeProvider {
  /** All connections, also those that are gone. */
  readonly clients: ProviderClient[] = [];
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly stop: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>, clients: ProviderClient[]) {
    this.url = url;
    this.stop = stop;
    this.clients = clients;
  }

  /** The connection with this number, from 0 on, as soon as it is there. */
  client(index = 0): Promise<ProviderClient> {
    return waitUntil(() => this.clients[index]);
  }

  static async start({ onClient, refusal }: FakeProviderOptions): Promise<FakeProvider> {
    const clients: ProviderClient[] = [];
    const open = new Set<Duplex>();
    const server = createServer((_incoming, response) => response.writeHead(426).end());
    server.on("upgrade", (incoming, duplex) => {
      open.add(duplex);
      duplex.on("error", () => {}).on("close", () => open.delete(duplex));
      const refused = refusal();
      if (refused === "hang") return;
      if (refused) {
        const { status, body } = refused;
        duplex.end(
          `HTTP/1.1 ${status} No\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
        return;
      }
      const socket = acceptSocket(duplex, incoming);
      const client = new ProviderClient(socket, incoming.url ?? "", incoming.headers);
      clients.push(client);
      const take = onClient(client);
      socket.onMessage = (_opcode, payload) => {
        const frame = JSON.parse(payload.toString()) as Frame;
        client.frames.push(frame);
        take(frame);
      };
      socket.onClose = (code, reason) => {
        client.isOpen = false;
        client.closed = { code, reason };
      };
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("the server has no port");
    const stop = async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const duplex of open) duplex.destroy();
      await closed;
    };
    return new FakeProvider(`http://127.0.0.1:${address.port}`, stop, clients);
  }
}
