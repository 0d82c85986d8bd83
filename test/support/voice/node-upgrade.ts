// A `fetch` for Node that upgrades as the runtime's does: its answer has `webSocket`. All other requests are refused.
import { randomBytes } from "node:crypto";
import { request as openRequest, type IncomingMessage } from "node:http";

import type { OutgoingFetch } from "../../../outgoing/outgoing.ts";
import { BINARY, FramedSocket, TEXT } from "./framed-socket.ts";

export const nodeUpgrade: OutgoingFetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const headers = {
    ...Object.fromEntries(new Headers(init?.headers)),
    connection: "Upgrade",
    "sec-websocket-key": randomBytes(16).toString("base64"),
    "sec-websocket-version": "13",
  };
  return new Promise((resolve, reject) => {
    const signal = init?.signal ?? undefined;
    const request = openRequest(url, { headers, ...(signal && { signal }) });
    request.on("error", reject);
    request.on("response", (response) => void answerOf(response).then(resolve, reject));
    request.on("upgrade", (response, duplex, head) => {
      const socket = new ClientSocket(new FramedSocket(duplex, true));
      if (head.length > 0) duplex.unshift(head);
      const answer = new Response(null, { headers: headersOf(response) });
      Object.defineProperty(answer, "webSocket", { value: socket });
      resolve(answer);
    });
    request.end();
  });
};

async function answerOf(response: IncomingMessage): Promise<Response> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return new Response(Buffer.concat(pieces), {
    status: response.statusCode ?? 500,
    headers: headersOf(response),
  });
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
}

type Listener = (event: {
  readonly data?: unknown;
  readonly code: number;
  readonly reason: string;
}) => void;

/** As the runtime's: nothing is told before `accept`. */
class ClientSocket {
  binaryType = "arraybuffer";
  readonly #socket: FramedSocket;
  readonly #listeners: { readonly type: string; readonly listener: Listener }[] = [];
  #early: (() => void)[] | null = [];

  constructor(socket: FramedSocket) {
    this.#socket = socket;
    socket.onMessage = (opcode, payload) => {
      const data =
        opcode === BINARY
          ? payload.buffer.slice(payload.byteOffset, payload.byteOffset + payload.byteLength)
          : payload.toString();
      this.#tell("message", { data, code: 0, reason: "" });
    };
    socket.onClose = (code, reason) => this.#tell("close", { code, reason });
  }

  accept(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const tell of early) tell();
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push({ type, listener });
  }

  send(data: string | ArrayBuffer | ArrayBufferView): void {
    if (typeof data === "string") this.#socket.send(TEXT, Buffer.from(data));
    else if (data instanceof ArrayBuffer) this.#socket.send(BINARY, Buffer.from(data));
    else
      this.#socket.send(
        BINARY,
        Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength),
      );
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  #tell(type: string, event: Parameters<Listener>[0]): void {
    const tell = () => {
      for (const one of this.#listeners) if (one.type === type) one.listener(event);
    };
    if (this.#early) this.#early.push(tell);
    else tell();
  }
}
