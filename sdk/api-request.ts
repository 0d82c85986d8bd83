// One request of the API, before anything is sent.

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Made by {@link apiPath}. */
  readonly path: string;
  /** Members that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  readonly body?: object;
  readonly accept?: "application/json" | "text/event-stream";
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** How long the answer may take to begin, when it is not the client's `timeoutMs`. */
  readonly timeoutMs?: number;
}

/** What every method takes besides its own arguments. */
export interface RequestOptions {
  /** Ends the request; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * A path below `/v1`, each part escaped.
 *
 * @throws {TypeError} on an id that is empty or a dot segment: the request would reach another resource.
 */
export function apiPath(...parts: readonly string[]): string {
  for (const part of parts) {
    if (typeof part !== "string" || /^\.{0,2}$/.test(part)) {
      throw new TypeError(`${JSON.stringify(part)} is not an id (in /v1/${parts.join("/")})`);
    }
  }
  return `/v1/${parts.map(encodeURIComponent).join("/")}`;
}

export function toUrl(baseUrl: string, { path, query = {} }: ApiRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${baseUrl}${path}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`;
}
