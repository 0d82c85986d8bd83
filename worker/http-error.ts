import type { ErrorCode, FieldError, Refusal, Result } from "../protocol/errors.ts";

interface HttpErrorDetails {
  readonly errors?: readonly FieldError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Headers of the answer, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal on its way to `onError`, which makes the problem of it. Its texts are shown to the client. */
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

/** One field of the request is wrong. */
export function fieldError(code: ErrorCode, pointer: string, detail: string): HttpError {
  return new HttpError(code, detail, { errors: [{ pointer, detail }] });
}

export function notFound(what: string): HttpError {
  return new HttpError("not_found", `there is no such ${what}`);
}

/** The value of a result, or its refusal thrown. */
export function unwrap<Value>(
  result: Result<Value>,
  headers: Readonly<Record<string, string>> = {},
): Value {
  if (result.ok) return result.value;
  const { code, detail, ...rest } = result.refusal;
  throw new HttpError(code, detail, { ...rest, headers });
}
