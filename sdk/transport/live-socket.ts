// An open WebSocket of the platform: its frames, its signs of life, and its end.
import { END_CLOSE_CODE, PING_TEXT, PONG_TEXT } from "../../protocol/voice/sockets.ts";

/** Milliseconds after which a sign of life is asked for: below the idle timeout of proxies. */
const PING_MS = 10_000;

export interface SocketReader {
  /** A text, or bytes. An exception ends the socket as a lost one. */
  readonly take: (frame: string | ArrayBuffer) => void;
  /** The answer to a ping. */
  readonly pong?: () => void;
}

interface LiveSocketOptions {
  readonly hello: () => string;
  readonly reader: SocketReader;
  /** Milliseconds without a sign of life after which it is lost. */
  readonly stallMs: number;
  readonly signal?: AbortSignal;
}

/** The end of a socket; the code 0 for one that was lost, 1000 for one that was ended in order, by either side. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
  /** The platform's words on the error. */
  readonly detail?: string;
}

/** The members of a WebSocket that are used here, which all implementations have. */
interface RawSocket {
  binaryType: string;
  readonly bufferedAmount?: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number): void;
  addEventListener(
    type: string,
    listener: (event: Partial<SocketEnd & { data: unknown }>) => void,
  ): void;
}

export class LiveSocket {
  /** Resolves with the first frame. */
  readonly begun: Promise<void>;
  /** Never rejects. */
  readonly ended: Promise<SocketEnd>;
  readonly #socket: RawSocket;
  readonly #options: LiveSocketOptions;
  #isOpen = false;
  #isEnded = false;
  #heardAtMs = Date.now();
  /** The last frame of an error: a close has room for its code alone. */
  #error: { readonly code?: string; readonly detail?: string } = {};
  #begin: () => void = () => undefined;
  #end: (end: SocketEnd) => void = () => undefined;

  constructor(socket: object, options: LiveSocketOptions) {
    const raw = socket as RawSocket;
    this.#socket = raw;
    this.#options = options;
    const { stallMs, signal } = options;
    const stop = () => this.close("aborted");
    const timer = setInterval(() => this.#ask(), Math.min(PING_MS, stallMs / 2));
    this.begun = new Promise((resolve) => (this.#begin = resolve));
    this.ended = new Promise((resolve) => {
      this.#end = (end) => {
        this.#isEnded = true;
        clearInterval(timer);
        signal?.removeEventListener("abort", stop);
        resolve(end);
      };
    });
    signal?.addEventListener("abort", stop);
    raw.binaryType = "arraybuffer";
    raw.addEventListener("open", () => {
      this.#isOpen = true;
      this.send(options.hello());
    });
    raw.addEventListener("message", ({ data }) => this.#take(data as string | ArrayBuffer));
    // The close that follows has the reason, where there is one.
    raw.addEventListener("error", () => undefined);
    raw.addEventListener("close", ({ code = 0, reason = "" }) => {
      const detail = this.#error.code === reason ? this.#error.detail : undefined;
      this.#end({ code, reason, detail });
    });
    if (signal?.aborted) stop();
  }

  /** Bytes that were sent and have not left. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount ?? 0;
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    try {
      this.#socket.send(data);
    } catch {
      // The socket is closing: its end is told to those who wait for it.
    }
  }

  /** Ends it at once. @param reason Why it counts as lost; in order when left out. */
  close(reason?: string): void {
    this.#end(reason === undefined ? { code: END_CLOSE_CODE, reason: "" } : { code: 0, reason });
    try {
      this.#socket.close(END_CLOSE_CODE);
    } catch {
      // Closed already.
    }
  }

  /** A device that slept does not see that its connection is dead. */
  #ask(): void {
    const { stallMs } = this.#options;
    if (Date.now() - this.#heardAtMs >= stallMs) this.close(`nothing came for ${stallMs} ms`);
    else if (this.#isOpen) this.send(PING_TEXT);
  }

  #take(data: string | ArrayBuffer): void {
    // Behind one that was not read, others would leave a gap.
    if (this.#isEnded) return;
    this.#heardAtMs = Date.now();
    const { reader } = this.#options;
    try {
      if (data === PONG_TEXT) reader.pong?.();
      else {
        // An error that ends the socket is its answer, and nothing has begun with it.
        if (isError(data)) this.#error = JSON.parse(data);
        reader.take(data);
        if (isError(data)) return;
      }
      this.#begin();
    } catch (error) {
      this.close(`a frame cannot be read: ${String(error)}`);
    }
  }
}

function isError(data: string | ArrayBuffer): data is string {
  return typeof data === "string" && /^\{"type": *"error"/.test(data);
}
