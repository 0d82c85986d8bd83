import { HttpError } from "../http-error.ts";

/** A 401 with the `WWW-Authenticate` challenge of RFC 6750. */
export function unauthenticated(detail: string): HttpError {
  return new HttpError("unauthenticated", detail, {
    headers: { "WWW-Authenticate": 'Bearer realm="reprise"' },
  });
}
