import type { ErrorCode, FieldError, Problem } from "../../protocol/errors.ts";

/** Registered by name, so that two copies of the SDK in one app know each other's errors. */
const BRAND = Symbol.for("reprise.ApiError");

/** The platform answered, and said no. */
export class ApiError extends Error {
  readonly [BRAND] = true;
  override readonly name: string = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** What programs decide on. A newer platform's codes come through as they are. */
  readonly code: ErrorCode | "unknown";
  /** One sentence for people. */
  readonly detail: string;
  /** Name it when you report the failure. */
  readonly requestId: string | null;
  /** Which places of the request are wrong; empty when the failure is about none. */
  readonly errors: readonly FieldError[];
  /**
   * Whether the same request may succeed a moment later: too many requests, nobody there right now, or an earlier try of
   * it is still under way. A quota that is used up is not: it takes somebody who makes room.
   */
  readonly retryable: boolean;
  /** The whole problem document, with the members that only this code has, such as `pending`. */
  readonly problem: Problem | null;
  readonly headers: Headers;

  /** @param problem Null when the answer was no problem document, such as a proxy's own page. */
  constructor({ status, headers }: Response, problem: Problem | null) {
    const code = problem?.code ?? "unknown";
    const detail = problem?.detail ?? "no reason";
    super(`${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = headers.get("X-Request-Id");
    this.errors = problem?.errors ?? [];
    const isPassing = code === "idempotency_in_flight" || [429, 502, 503, 504].includes(status);
    this.retryable = isPassing && code !== "quota_exceeded";
    this.problem = problem;
    this.headers = headers;
  }

  /** Use this instead of `instanceof`, which fails across copies and versions of the package. */
  static isInstance(value: unknown): value is ApiError {
    return value instanceof Object && BRAND in value;
  }
}
