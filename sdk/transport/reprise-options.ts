/** `fetch` or a compatible function. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/** The class `WebSocket`, or one like it, such as that of the package `ws`. */
export type WebSocketClass = new (url: string, protocols: string[]) => object;

export interface ReconnectOptions {
  /** Milliseconds before the first retry; default 500, or the stream's `retry:`. */
  readonly firstDelayMs?: number;
  /** Longest delay in milliseconds; default 10,000. */
  readonly maxDelayMs?: number;
  /**
   * Milliseconds without a byte after which a stream counts as lost; default 25,000. The platform sends a heartbeat
   * every 10,000.
   */
  readonly stallMs?: number;
  /** Milliseconds without any event after which reconnecting is given up; default 300,000, `Infinity` for never. */
  readonly giveUpAfterMs?: number;
}

export interface RepriseOptions {
  /** A tenant's API key, or the operator's. For servers only. */
  readonly apiKey?: string;
  /**
   * A client token instead of a key. A function is called for the first request, and again when the platform refuses
   * the current token: one call serves all requests that wait.
   */
  readonly token?: string | (() => string | Promise<string>);
  /** The platform's base URL, such as `https://agents.example.com`, without `/v1`. */
  readonly baseUrl: string;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: FetchFunction;
  /**
   * The way in which events of sessions and rooms are read. Default `sse`, streams of `fetch`. A `websocket` costs the
   * platform nothing while nothing is said: for apps that wait for hours.
   */
  readonly transport?: "sse" | "websocket";
  /** Default: the runtime's `WebSocket`. Needed for `transport: "websocket"` and {@link SessionHandle.speak}. */
  readonly WebSocket?: WebSocketClass;
  /** Retries of a request; default 3. Open streams are governed by `reconnect` instead. */
  readonly maxRetries?: number;
  /** Milliseconds until an answer must begin; default 30,000. */
  readonly timeoutMs?: number;
  readonly reconnect?: ReconnectOptions;
}

/** The options with their defaults. */
export interface Settings {
  readonly baseUrl: string;
  /** Null where the URL is the credential. */
  readonly credential: () => string | null | Promise<string>;
  readonly fetch: FetchFunction;
  readonly transport?: "sse" | "websocket";
  readonly WebSocket?: WebSocketClass;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  /** `firstDelayMs` is absent when the stream's `retry:` decides. */
  readonly reconnect: Required<Omit<ReconnectOptions, "firstDelayMs">> & ReconnectOptions;
}

/** @throws {TypeError} when the credential or the base URL is missing. */
export function readOptions(options: RepriseOptions): Settings {
  const { apiKey, token, baseUrl } = options;
  const credential = apiKey || token;
  if (!credential || !baseUrl) {
    throw new TypeError("give a baseUrl, and an apiKey or a token");
  }
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    credential: typeof credential === "function" ? credential : () => credential,
    // Called as a free function: browsers and workers refuse a `fetch` that has become a method.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    transport: options.transport,
    WebSocket: options.WebSocket,
    maxRetries: options.maxRetries ?? 3,
    timeoutMs: options.timeoutMs ?? 30_000,
    reconnect: {
      maxDelayMs: 10_000,
      stallMs: 25_000,
      giveUpAfterMs: 300_000,
      ...options.reconnect,
    },
  };
}
