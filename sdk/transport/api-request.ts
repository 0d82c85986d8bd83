// One request of the API, before anything is sent.
import type { ApiError } from "./api-error.ts";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/v1`, not escaped. */
  readonly path: PathParts;
  /** Members that are undefined are left out. */
  readonly query?: object;
  /** Sent as JSON. */
  readonly body?: object;
  readonly accept?: "application/json" | "text/event-stream";
  readonly idempotencyKey?: string;
  /** Its first answer cannot be had again: it shows a secret, or what it does can be done once only. */
  readonly answersOnce?: boolean;
  /** Whether a refusal of a further try says that an earlier one, whose answer was lost, did it all. */
  readonly isDone?: (error: ApiError) => boolean;
  readonly signal?: AbortSignal;
  /** How long the answer may take to begin, when it is not the client's `timeoutMs`. */
  readonly timeoutMs?: number;
}

/** What every method takes besides its own arguments. */
export interface RequestOptions {
  /** Ends the request; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export type PathParts = readonly string[];

/**
 * The request's address.
 *
 * @throws {TypeError} on an id that is empty or a dot segment: the request would reach another resource.
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
