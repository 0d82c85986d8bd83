// An API request before it is sent.
import type { ApiError } from "./api-error.ts";
import type { FetchFunction } from "./reprise-options.ts";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Segments below `/v1`, unescaped. */
  readonly path: PathParts;
  /** Members that are undefined are left out. */
  readonly query?: object;
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as they are, in place of `body`; `fetch` itself adds the type of a blob. */
  readonly bytes?: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  readonly accept?: "application/json" | "text/event-stream";
  readonly idempotencyKey?: string;
  /** Sent as `If-Match`: the write is refused with `version_mismatch` when another one came first. */
  readonly ifVersion?: number;
  /** The first answer cannot be repeated: it contains a secret, or the operation is not idempotent. */
  readonly answersOnce?: boolean;
  /** Whether an error of a retry shows that an earlier attempt, whose response was lost, succeeded. */
  readonly isDone?: (error: ApiError) => boolean;
  readonly signal?: AbortSignal;
  /** Overrides the client's `fetch`. */
  readonly fetch?: FetchFunction;
  /** Overrides the client's `timeoutMs`, the time until the answer begins, and then until its JSON is there. */
  readonly timeoutMs?: number;
  /** Reads the answer in place of its JSON. */
  readonly read?: (response: Response) => Promise<unknown>;
}

/** Options common to all methods. */
export interface RequestOptions {
  /** Aborts the request; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export type PathParts = readonly string[];

/**
 * The request's URL.
 *
 * @throws {TypeError} on an id that is empty or a dot segment, which would address another resource.
 */
export function toUrl(baseUrl: string, { path, query = {} }: ApiRequest): string {
  if (path.some((part) => !part || part === "." || part === "..")) {
    throw new TypeError(`not an id in /v1/${path.join("/")}`);
  }
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  const address = `${baseUrl}/v1/${path.map(encodeURIComponent).join("/")}`;
  return pairs.length > 0 ? `${address}?${pairs.join("&")}` : address;
}
