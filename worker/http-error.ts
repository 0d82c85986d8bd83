import type { ErrorCode, Refusal, Result } from "../protocol/errors.ts";
import type { FieldError } from "../protocol/field-error.ts";

interface HttpErrorDetails {
  readonly errors?: readonly FieldError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An expected failure, converted to a problem response by `onError`. Its texts are shown to the client. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly refusal: Refusal;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, details: HttpErrorDetails = {}) {
    super(detail);
    const { errors, extensions, headers = {} } = details;
    this.refusal = { code, detail, errors, extensions };
    this.headers = headers;
  }
}

/** The error for one invalid field of the request. */
export function fieldError(code: ErrorCode, pointer: string, detail: string): HttpError {
  return new HttpError(code, detail, { errors: [{ pointer, detail }] });
}

export function notFound(what: string): HttpError {
  return new HttpError("not_found", `there is no such ${what}`);
}

/** The value of a result; throws its refusal as an HttpError. */
export function unwrap<Value>(
  result: Result<Value>,
  headers: Readonly<Record<string, string>> = {},
): Value {
  if (result.ok) return result.value;
  const { code, detail, ...rest } = result.refusal;
  throw new HttpError(code, detail, { ...rest, headers });
}
