// Write requests, in a module apart from the transport: an app with a client token needs none of them.
import type { ApiError } from "./api-error.ts";
import type { PathParts, RequestOptions } from "./api-request.ts";
import type { Transport } from "./transport.ts";

/** Creates a resource whose secret only the first answer contains: not retried when the response is lost. */
export function createSecretAt<Body>(
  transport: Transport,
  path: PathParts,
  body: object = {},
  options?: RequestOptions,
): Promise<Body> {
  return transport.call({ ...options, method: "POST", path, body, answersOnce: true });
}

/** An idempotent POST: all attempts carry the same idempotency key. */
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

/** An idempotent DELETE: a 404 after a lost response counts as success. Null for an empty answer. */
export function deleteAt<Body = null>(
  transport: Transport,
  path: PathParts,
  options?: RequestOptions,
  query?: object,
): Promise<Body | null> {
  const isDone = (error: ApiError) => error.status === 404;
  return transport.call({ ...options, method: "DELETE", path, query, isDone });
}
