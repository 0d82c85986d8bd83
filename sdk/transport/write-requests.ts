// Requests that change something, apart from the transport: an app with a client token makes none of them.
import type { ApiError } from "./api-error.ts";
import type { PathParts, RequestOptions } from "./api-request.ts";
import type { Transport } from "./transport.ts";

/** Makes something whose secret its first answer alone shows: what gets lost is not asked for again. */
export function createSecretAt<Body>(
  transport: Transport,
  path: PathParts,
  body: object = {},
  options?: RequestOptions,
): Promise<Body> {
  return transport.call({ ...options, method: "POST", path, body, answersOnce: true });
}

/** Makes or does something, once however often it is sent: its key stays the same over its tries. */
export function postTo<Body>(
  transport: Transport,
  path: PathParts,
  body: object = {},
  options?: RequestOptions,
): Promise<Body> {
  return transport.call({ ...options, method: "POST", path, body });
}

export function updateAt<Body>(
  transport: Transport,
  path: PathParts,
  body: object,
  options?: RequestOptions,
): Promise<Body> {
  return transport.call({ ...options, method: "PATCH", path, body });
}

/** What is gone already, when the answer of an earlier try was lost, is a success. The answer is null when it has none. */
export function deleteAt<Body = null>(
  transport: Transport,
  path: PathParts,
  options?: RequestOptions,
  query?: object,
): Promise<Body | null> {
  const isDone = (error: ApiError) => error.status === 404;
  return transport.call({ ...options, method: "DELETE", path, query, isDone });
}
