// Keeps a voice connection: opens its WebSocket, and opens it again until the end is final.
import type { StartFrameInput } from "../../protocol/voice/frames.ts";
import { END_CLOSE_CODE, REALTIME_PROTOCOL } from "../../protocol/voice/sockets.ts";
import type { ApiError } from "../transport/api-error.ts";
import type { LiveSocket, SocketEnd } from "../transport/live-socket.ts";
import { type SocketOwner, socketFetch, toAnswer } from "../transport/socket-fetch.ts";
import type { Transport } from "../transport/transport.ts";
import type { VoiceState } from "./voice-options.ts";

/** Milliseconds before the first try to come back, unless the app says otherwise. */
const FIRST_DELAY_MS = 500;
/** Milliseconds after which a connection has held: one that is lost sooner, again and again, is no better than none. */
const STEADY_MS = 10_000;

/** The place where somebody speaks: a session, or a room as one of its people. */
export interface VoicePlace {
  readonly of: SocketOwner;
  readonly query?: { readonly participant?: string | undefined };
}

interface VoiceReader {
  /** The first frame of a connection. */
  start(): StartFrameInput;
  take(frame: string | ArrayBuffer): void;
  show(state: VoiceState): void;
}

export class VoiceConnector {
  /** Resolves at the final end: with its reason, or with null when it was ended in order, by either side. */
  readonly closed: Promise<Error | null>;
  /** Resolves when the first connection has started; rejects when none could be. */
  readonly ready: Promise<void>;
  readonly #transport: Transport;
  readonly #place: VoicePlace;
  readonly #leave = new AbortController();
  #socket: LiveSocket | null = null;
  #hasStarted = false;
  #setReady: () => void = () => undefined;

  constructor(
    transport: Transport,
    place: VoicePlace,
    reader: VoiceReader,
    signal: AbortSignal | undefined,
  ) {
    this.#transport = transport;
    this.#place = place;
    const stop = () => this.#leave.abort(signal?.reason);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    this.closed = this.#run(reader)
      .catch(toError)
      .finally(() => {
        signal?.removeEventListener("abort", stop);
        reader.show("closed");
      });
    this.ready = new Promise((resolve, reject) => {
      this.#setReady = resolve;
      void this.closed.then((failure) => {
        reject(failure ?? signal?.reason ?? new Error("the voice connection was closed"));
      });
    });
    this.ready.catch(() => undefined);
  }

  /** Null while no connection is there. */
  get socket(): LiveSocket | null {
    return this.#socket;
  }

  close(): void {
    this.#leave.abort();
    this.#socket?.close();
  }

  async #run(reader: VoiceReader): Promise<Error | null> {
    const { maxRetries, reconnect } = this.#transport.settings;
    const { firstDelayMs = FIRST_DELAY_MS, maxDelayMs, giveUpAfterMs } = reconnect;
    const { signal } = this.#leave;
    let failures = 0;
    let failingSinceMs = 0;
    for (;;) {
      const { failure, mayPass, openMs } = await this.#connect(reader);
      this.#socket = null;
      if (signal.aborted || failure === null) return null;
      failures = openMs >= STEADY_MS ? 1 : failures + 1;
      if (failures === 1) failingSinceMs = Date.now();
      const isWorthwhile = this.#hasStarted
        ? Date.now() - failingSinceMs < giveUpAfterMs
        : failures <= maxRetries;
      if (!mayPass || !isWorthwhile) return failure;
      reader.show("reconnecting");
      const doubledMs = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
      await pause(doubledMs * (1 + Math.random() / 2), signal);
      if (signal.aborted) return null;
    }
  }

  /** One connection from its ticket to its end. */
  async #connect(
    reader: VoiceReader,
  ): Promise<{ failure: Error | null; mayPass: boolean; openMs: number }> {
    const opened: LiveSocket[] = [];
    const failure = await this.#ask(
      socketFetch(this.#transport, () => ({
        of: this.#place.of,
        protocol: REALTIME_PROTOCOL,
        hello: () => JSON.stringify(reader.start()),
        reader,
        answer: (socket) => {
          opened.push(socket);
          return { ok: true, status: 200 } as Response;
        },
      })),
    );
    const [socket] = opened;
    if (!socket) {
      // The start came too late, as over a network that stalls; or the platform does not know yet that the one before is lost.
      const code = codeOf(failure);
      const isLate = code === "connection_expired";
      const isOwn = this.#hasStarted && code === "voice_connected";
      return { failure, mayPass: isLate || isOwn || isTransient(failure), openMs: 0 };
    }
    this.#socket = socket;
    this.#hasStarted = true;
    reader.show("open");
    this.#setReady();
    const openedAtMs = Date.now();
    const end = await socket.ended;
    const openMs = Date.now() - openedAtMs;
    return { ...(await this.#endOf(end)), openMs };
  }

  /** Asks the transport for an answer by this `fetch`: its error, as of each other request; null for none. */
  #ask(fetch: Parameters<Transport["open"]>[0]["fetch"]): Promise<Error | null> {
    const { signal } = this.#leave;
    const { of, query } = this.#place;
    const request = { method: "GET", path: [...of, "realtime"], query, signal, fetch } as const;
    return this.#transport.open(request).then(() => null, toError);
  }

  async #endOf(end: SocketEnd): Promise<{ failure: Error | null; mayPass: boolean }> {
    if (end.code === END_CLOSE_CODE) return { failure: null, mayPass: false };
    const answer = toAnswer(end);
    const failure = await this.#ask(async () => {
      // A credential that is over is no answer yet: the next ticket tells whether there is another.
      if (answer && answer.status !== 401) return answer;
      throw new Error(`the socket was closed with ${end.code} ${end.reason}`);
    });
    return { failure, mayPass: isTransient(failure) };
  }
}

function codeOf(failure: Error | null): unknown {
  return (failure as Partial<ApiError> | null)?.code;
}

function isTransient(failure: Error | null): boolean {
  return (failure as Partial<ApiError> | null)?.retryable === true;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Ends early with the signal. */
function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener("abort", end);
  });
}
