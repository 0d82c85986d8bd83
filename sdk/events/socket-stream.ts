// Events over a WebSocket as the body of an answer, a chunk of its own for bundlers: `loadSocketStream` in load-parts.ts is
// the only place that imports its values.
import { END_CLOSE_CODE, EVENTS_PROTOCOL, PING_TEXT } from "../../protocol/voice/sockets.ts";
import type { LiveSocket, SocketEnd } from "../transport/live-socket.ts";
import type { FetchFunction } from "../transport/reprise-options.ts";
import { socketFetch, type SocketOwner } from "../transport/socket-fetch.ts";
import type { Transport } from "../transport/transport.ts";

/**
 * Characters that wait for a slow reader, since a socket, unlike a body, cannot be read more slowly. With more it is closed, and
 * opened again behind them.
 */
const MAX_WAITING_CHARACTERS = 4_000_000;

/**
 * A `fetch` for event streams: its answers have a `body` with a reader, which gives text instead of bytes.
 *
 * @throws {TypeError} where the runtime has no WebSocket.
 */
export function socketStream(transport: Transport, of: SocketOwner): FetchFunction {
  return socketFetch(transport, () => {
    const body = new SocketBody();
    return {
      of,
      protocol: EVENTS_PROTOCOL,
      // Its answer shows that the stream has begun, where there is no event yet.
      hello: () => PING_TEXT,
      reader: body,
      answer: (socket) => body.of(socket),
    };
  });
}

class SocketBody {
  #text = "";
  #end: SocketEnd | null = null;
  #socket: LiveSocket | null = null;
  #wake: () => void = () => undefined;

  take(frame: string | ArrayBuffer): void {
    if (typeof frame !== "string" || !/^\{"type": *"event"/.test(frame)) return;
    // One line each; JSON has line ends between its tokens alone.
    this.#add(`data: ${frame.replace(/[\r\n]/g, " ")}\n\n`);
    if (this.#text.length > MAX_WAITING_CHARACTERS) this.#socket?.close();
  }

  pong(): void {
    this.#add(": pong\n\n");
  }

  of(socket: LiveSocket): Response {
    this.#socket = socket;
    void socket.ended.then((end) => {
      this.#end = end;
      this.#wake();
    });
    const answer = {
      ok: true,
      status: 200,
      headers: new Headers({ "Content-Type": "text/event-stream" }),
      body: { getReader: () => this },
    };
    return answer as unknown as Response;
  }

  async read(): Promise<{ done: boolean; value?: string }> {
    for (;;) {
      const value = this.#text;
      this.#text = "";
      if (value) return { done: false, value };
      if (this.#end?.code === END_CLOSE_CODE) return { done: true };
      if (this.#end) throw new Error(`closed with ${this.#end.code} ${this.#end.reason}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async cancel(): Promise<void> {
    this.#socket?.close();
  }

  #add(text: string): void {
    this.#text += text;
    this.#wake();
  }
}
