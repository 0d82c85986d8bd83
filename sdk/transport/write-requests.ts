// Write requests, in a module apart from the transport: an app with a client token needs none of them.
import { ApiError } from "./api-error.ts";
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

/**
 * An idempotent POST: all attempts carry the same idempotency key. Where the first answer was lost and too large to be
 * kept, what it made is read.
 */
export async function postTo<Body>(
  transport: Transport,
  path: PathParts,
  body: object = {},
  options?: RequestOptions,
): Promise<Body> {
  try {
    return await transport.call<Body>({ ...options, method: "POST", path, body });
  } catch (error) {
    const isNotKept = ApiError.isInstance(error) && error.code === "answer_not_kept";
    const made = isNotKept && error.headers.get("Location");
    if (!made) throw error;
    return transport.get(made.slice("/v1/".length).split("/"), options);
  }
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
