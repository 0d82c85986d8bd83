import { HttpError } from "../http-error.ts";

/** A 401 with the challenge that the standard asks for. */
export function unauthenticated(detail: string): HttpError {
  return new HttpError("unauthenticated", detail, {
    headers: { "WWW-Authenticate": 'Bearer realm="reprise"' },
  });
}
