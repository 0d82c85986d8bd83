import type { ErrorCode, FieldError, Problem } from "../protocol/errors.ts";

/** Told apart by a registered symbol: two copies of the SDK in one app still know each other's errors. */
const BRAND = Symbol.for("reprise.ApiError");

/** Answers that another try may get past: too many requests, and a platform that is not there for a moment. */
const RETRYABLE_STATUSES: readonly number[] = [429, 502, 503, 504];

export interface ApiErrorInit {
  readonly status: number;
  /** Null when the answer was no problem document, such as a proxy's own page. */
  readonly problem: Problem | null;
  readonly headers: Headers;
  /** Shown when there is no problem document. */
  readonly fallbackDetail: string;
}

/** The platform answered, and said no. */
export class ApiError extends Error {
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
  /** Whether the same request may succeed a moment later. */
  readonly retryable: boolean;
  /** The whole problem document, with the members that only this code has, such as `pending`. */
  readonly problem: Problem | null;
  readonly headers: Headers;

  constructor({ status, problem, headers, fallbackDetail }: ApiErrorInit) {
    const detail = problem?.detail ?? fallbackDetail;
    super(`${status} ${problem?.code ?? "unknown"}: ${detail}`);
    Object.defineProperty(this, BRAND, { value: true });
    this.status = status;
    this.code = problem?.code ?? "unknown";
    this.detail = detail;
    this.requestId = problem?.request_id ?? headers.get("X-Request-Id");
    this.errors = problem?.errors ?? [];
    this.retryable = RETRYABLE_STATUSES.includes(status);
    this.problem = problem;
    this.headers = headers;
  }

  /** Use this instead of `instanceof`, which fails across copies and versions of the package. */
  static isInstance(value: unknown): value is ApiError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}
