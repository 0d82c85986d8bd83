/** The platform's `fetch`, or one like it. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

export interface ReconnectOptions {
  /** The first wait before another try. Left out, it is 500, or what the stream says with `retry:`. */
  readonly firstDelayMs?: number;
  /** No wait is longer; default 10,000. */
  readonly maxDelayMs?: number;
  /**
   * A stream on which no byte arrives for this long counts as lost; default 25,000. The platform sends a heartbeat
   * every 10,000.
   */
  readonly stallMs?: number;
  /** How long to go on trying without hearing anything; default 300,000, `Infinity` for ever. */
  readonly giveUpAfterMs?: number;
}

export interface RepriseOptions {
  /** A tenant's key, or the operator's. Belongs on servers only. */
  readonly apiKey?: string;
  /**
   * A client token instead of a key. A function is asked when the first request needs it, and again when the platform
   * no longer takes what it gave: once for all requests that wait, and once for each of them.
   */
  readonly token?: string | (() => string | Promise<string>);
  /** Where the platform is, such as `https://agents.example.com`; without `/v1`. */
  readonly baseUrl: string;
  /** Default: the runtime's own. */
  readonly fetch?: FetchFunction;
  /** How often a request is tried again; default 3. Streams that have begun go by `reconnect` instead. */
  readonly maxRetries?: number;
  /** How long an answer may take to begin; default 30,000. */
  readonly timeoutMs?: number;
  readonly reconnect?: ReconnectOptions;
}

/** The options with their defaults. */
export interface Settings {
  readonly baseUrl: string;
  /** Null where the address is the credential. */
  readonly credential: () => string | null | Promise<string>;
  readonly fetch: FetchFunction;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  /** Without `firstDelayMs` the stream decides. */
  readonly reconnect: Required<Omit<ReconnectOptions, "firstDelayMs">> & ReconnectOptions;
}

/** @throws {TypeError} when the credential or the address is missing. */
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
