// The network of the playground's session: it can be cut, as a train in a tunnel does it, and it keeps the last request.
import type { FetchFunction } from "../../../sdk/index.ts";
import type { SentRequest } from "./sent-request.ts";

/** Paths whose POST is worth showing as code; others are how the page itself reads. */
const SHOWN_PATHS = /^\/v1\/sessions(?:\/[^/]+\/(?:replies|events|interrupt))?$/;
const STREAM_PATH = /^\/v1\/sessions\/[^/]+\/events$/;

interface NetworkState {
  readonly isCut: boolean;
  /** The seq behind which the newest stream was asked for; null before the first one. */
  readonly streamAfter: number | null;
  /** The same of the first stream since the network was restored; null until it is asked for. */
  readonly resumedAfter: number | null;
  readonly cuts: number;
  readonly lastRequest: SentRequest | null;
}

const INITIAL_STATE: NetworkState = {
  isCut: false,
  streamAfter: null,
  resumedAfter: null,
  cuts: 0,
  lastRequest: null,
};

export class PageNetwork {
  #state = INITIAL_STATE;
  readonly #flights = new Set<AbortController>();
  readonly #sockets = new Set<WebSocket>();
  readonly #listeners = new Set<() => void>();

  readonly getState = (): NetworkState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Ends every request and stream, and refuses new ones, until {@link restore}. */
  readonly cut = (): void => {
    this.#set({ isCut: true, cuts: this.#state.cuts + 1, resumedAfter: null });
    const lost = new TypeError("the network was cut by the person at this page");
    for (const flight of this.#flights) flight.abort(lost);
    this.#flights.clear();
    for (const socket of this.#sockets) lose(socket);
    this.#sockets.clear();
  };

  readonly restore = (): void => this.#set({ isCut: false });

  /** Another session begins without a cut and without a request of the last one. */
  readonly forget = (): void => this.#set(INITIAL_STATE);

  /** For the session's store: the browser's own signals, and the cut. @returns removes the listener. */
  readonly onNetworkChange = (listener: (isOnline: boolean) => void): (() => void) => {
    const isOnline = () => navigator.onLine && !this.#state.isCut;
    let before = isOnline();
    const look = () => {
      const now = isOnline();
      if (now !== before) listener((before = now));
    };
    window.addEventListener("online", look);
    window.addEventListener("offline", look);
    const remove = this.subscribe(look);
    return () => {
      window.removeEventListener("online", look);
      window.removeEventListener("offline", look);
      remove();
    };
  };

  /** A `fetch` over this network. */
  readonly fetch: FetchFunction = async (address, init) => {
    const url = new URL(address);
    if (this.#state.isCut) throw new TypeError("the network is cut");
    this.#note(url, init);
    const flight = new AbortController();
    this.#flights.add(flight);
    const { signal } = init;
    // The SDK ends each of its requests so, also those that were answered.
    signal?.addEventListener("abort", () => this.#flights.delete(flight), { once: true });
    return fetch(address, {
      ...init,
      signal: signal ? AbortSignal.any([signal, flight.signal]) : flight.signal,
    });
  };

  /** A `WebSocket` over this network. */
  readonly WebSocket = socketsOf((socket) => {
    if (this.#state.isCut) return lose(socket);
    this.#sockets.add(socket);
    socket.addEventListener("close", () => this.#sockets.delete(socket), { once: true });
  });

  #note({ pathname, searchParams }: URL, { method = "GET", body }: RequestInit): void {
    if (method === "GET" && STREAM_PATH.test(pathname)) {
      const streamAfter = Number(searchParams.get("after") ?? 0);
      const { cuts, resumedAfter } = this.#state;
      this.#set({ streamAfter, resumedAfter: cuts > 0 ? (resumedAfter ?? streamAfter) : null });
    }
    if (method !== "POST" || !SHOWN_PATHS.test(pathname)) return;
    const query = searchParams.toString();
    const path = query === "" ? pathname : `${pathname}?${query}`;
    const sent = typeof body === "string" ? (JSON.parse(body) as SentRequest["body"]) : null;
    this.#set({ lastRequest: { path, body: sent } });
  }

  #set(change: Partial<NetworkState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** @param onOpening Told of each socket that is opened. */
function socketsOf(onOpening: (socket: WebSocket) => void): typeof WebSocket {
  return class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      onOpening(this);
    }
  };
}

/** Ends a socket as a lost network does: at once, and without a word of the other side. */
function lose(socket: WebSocket): void {
  queueMicrotask(() => {
    socket.dispatchEvent(new CloseEvent("close", { code: 1006 }));
    socket.close();
  });
}
