import type { ErrorCode } from "../../protocol/errors.ts";
import type { FieldError } from "../../protocol/field-error.ts";
import type { Problem } from "../../protocol/problem.ts";
import { describeProblem } from "./describe-problem.ts";

/** A registered symbol, so that two copies of the SDK in one app recognise each other's errors. */
const BRAND = Symbol.for("reprise.ApiError");

/**
 * The platform answered with an error. `message` holds the status, the code, the detail and the first invalid place:
 * `400 validation_failed: the body does not fit; … (#/name: is required; 2 more in errors)`.
 */
export class ApiError extends Error {
  readonly [BRAND] = true;
  override readonly name: string = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** The machine-readable code. Codes newer than this SDK are passed through. */
  readonly code: ErrorCode | "unknown";
  /** A sentence for humans. */
  readonly detail: string;
  /** Include it in bug reports. */
  readonly requestId: string | null;
  /** The invalid fields of the request, if any. */
  readonly errors: readonly FieldError[];
  /**
   * Whether the same request may soon succeed: rate limited, temporarily unavailable, or an earlier attempt still in
   * progress. False for an exhausted quota, which needs intervention, for a summary that failed, which has been
   * tried several times, and for an MCP server that failed, of which nobody knows what it has done.
   */
  readonly retryable: boolean;
  /** The complete problem document with members specific to the code, such as `pending`. */
  readonly problem: Problem | null;
  readonly headers: Headers;

  /** @param problem Null when the body was no problem document, such as a proxy's page. */
  constructor({ status, headers }: Response, problem: Problem | null) {
    const code = problem?.code ?? "unknown";
    const detail = problem?.detail ?? "no reason";
    const errors = problem?.errors ?? [];
    super(`${status} ${code}: ${describeProblem(detail, errors)}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = headers.get("X-Request-Id");
    this.errors = errors;
    const isPassing = code === "idempotency_in_flight" || [429, 502, 503, 504].includes(status);
    const isFinal = /^(quota_exceeded|compression_failed|mcp_failed)$/.test(code);
    this.retryable = isPassing && !isFinal;
    this.problem = problem;
    this.headers = headers;
  }

  /** Use this instead of `instanceof`, which fails across copies and versions of the package. */
  static isInstance(value: unknown): value is ApiError {
    return value instanceof Object && BRAND in value;
  }
}
