import { STREAM_RETRY_MS } from "../protocol/limits.ts";
import type { BackOff } from "./back-off.ts";

/** The platform's `fetch`, or one like it. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

export interface ReconnectOptions {
  /** The first wait before reconnecting. Left out, the stream's own `retry:` decides. */
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
  /** A client token instead of a key. A function is asked before each request, so that it can renew the token. */
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

/** The options with nothing left open. */
export interface Settings {
  readonly baseUrl: string;
  readonly credential: () => string | Promise<string>;
  readonly fetch: FetchFunction;
  readonly maxRetries: number;
  readonly timeoutMs: number;
  /** Between tries of plain requests. */
  readonly retry: BackOff;
  readonly reconnect: Required<Omit<ReconnectOptions, "firstDelayMs">> & {
    /** Null when the stream decides. */
    readonly firstDelayMs: number | null;
    /** The wait as long as no stream has said anything. */
    readonly defaultDelayMs: number;
  };
}

/** @throws {TypeError} when the credential or the address is missing. */
export function readOptions(options: RepriseOptions): Settings {
  const { apiKey, token, baseUrl, reconnect = {} } = options;
  const credential = apiKey || token;
  if (!credential) throw new TypeError("new Reprise({…}) needs an apiKey or a token");
  if (!baseUrl) throw new TypeError("new Reprise({…}) needs the platform's baseUrl");
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    credential: typeof credential === "function" ? credential : () => credential,
    // Called as a free function: browsers and workers refuse a `fetch` that has become a method.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    maxRetries: options.maxRetries ?? 3,
    timeoutMs: options.timeoutMs ?? 30_000,
    retry: { firstDelayMs: reconnect.firstDelayMs ?? 500, maxDelayMs: reconnect.maxDelayMs ?? 10_000 },
    reconnect: {
      firstDelayMs: reconnect.firstDelayMs ?? null,
      defaultDelayMs: STREAM_RETRY_MS,
      maxDelayMs: reconnect.maxDelayMs ?? 10_000,
      stallMs: reconnect.stallMs ?? 25_000,
      giveUpAfterMs: reconnect.giveUpAfterMs ?? 300_000,
    },
  };
}
