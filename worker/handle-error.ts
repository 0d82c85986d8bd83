// The one place where a failure becomes an answer. Texts of exceptions stay in the log.
import type { Refusal } from "../protocol/errors.ts";
import { ERRORS, toProblem } from "../protocol/errors.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "../protocol/limits.ts";
import { traceIdOf } from "../protocol/trace-context.ts";
import { isDatabaseDown } from "../storage/database-failure.ts";
import type { AppContext } from "./app-env.ts";
import { HttpError } from "./http-error.ts";

export function handleError(error: Error, context: AppContext): Response {
  if (error instanceof HttpError) return toResponse(context, error.refusal, error.headers);
  logFailure(error, context);
  if (isTransient(error) || isDatabaseDown(error)) {
    return toResponse(
      context,
      {
        code: "unavailable",
        detail: "a part of the platform cannot be reached at the moment; try again",
      },
      { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) },
    );
  }
  return toResponse(
    context,
    {
      code: "internal",
      detail: "something failed on our side; name the request id when you report it",
    },
    {},
  );
}

function toResponse(
  context: AppContext,
  refusal: Refusal,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(JSON.stringify(toProblem(refusal, context.get("requestId"))), {
    status: ERRORS[refusal.code].status,
    headers: { ...headers, "Content-Type": "application/problem+json" },
  });
}

/** The runtime marks failures of a call to an object that another try may get past. */
function isTransient(error: Error): boolean {
  return (
    ("retryable" in error && error.retryable === true) ||
    ("overloaded" in error && error.overloaded === true)
  );
}

/** Logs the innermost cause: the database layer's own message repeats a query's parameters, which may be secret. */
function logFailure(error: Error, context: AppContext): void {
  let cause = error;
  while (cause.cause instanceof Error) cause = cause.cause;
  const trace = context.get("trace");
  console.error(
    JSON.stringify({
      request_id: context.get("requestId"),
      ...(trace && { trace_id: traceIdOf(trace) }),
      method: context.req.method,
      path: context.req.path,
      error: cause.name,
      stack: cause.stack,
    }),
  );
}
