// Converts exceptions to problem responses, in this one place. Their messages are only logged.
import { isShareQuota, type ShareQuota } from "../protocol/quotas/end-user-share.ts";
import type { CountedQuota } from "../protocol/quotas/contract.ts";
import type { Refusal } from "../protocol/errors.ts";
import { ERRORS } from "../protocol/errors.ts";
import { toProblem } from "../protocol/problem.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "../protocol/requests/limits.ts";
import { traceIdOf } from "../protocol/trace-context.ts";
import { isSchemaMissing, missingMigrations } from "../storage/tables/missing-migrations.ts";
import { isDatabaseDown, isStorageDown } from "../storage/statements/database-failure.ts";
import { exceededQuota } from "../storage/quotas/exceeded-quota.ts";
import type { AppContext } from "./app-env.ts";
import { bindingGaps, secretGaps } from "./configuration/configuration-gaps.ts";
import { refusalOfGaps } from "./configuration/not-configured.ts";
import { HttpError } from "./http-error.ts";
import { refusedSocket } from "./requests/upgrade.ts";
import { shownRefusal } from "./sessions/shown-reply.ts";

export async function handleError(error: Error, context: AppContext): Promise<Response> {
  const refusal = refusalOfFailure(error, context);
  if (refusal.code === "internal" && (await isUnmigrated(error, context))) {
    return toResponse(context, UNMIGRATED, {});
  }
  if (error instanceof HttpError) return toResponse(context, refusal, error.headers);
  const isPassing = refusal.code === "unavailable";
  return toResponse(
    context,
    refusal,
    isPassing ? { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) } : {},
  );
}

const UNMIGRATED: Refusal = {
  code: "unavailable",
  detail: "the database lacks migrations of this version; see /readyz",
};

/** Whether a query failed because a migration is missing, and not because of a mistake in the query. */
async function isUnmigrated(error: Error, { env }: AppContext): Promise<boolean> {
  if (!isSchemaMissing(error)) return false;
  try {
    return (await missingMigrations(env.DB)).length > 0;
  } catch {
    return false;
  }
}

/** The refusal shown to the client; details of unexpected failures are logged. */
export function refusalOfFailure(error: Error, context: AppContext): Refusal {
  if (error instanceof HttpError) return error.refusal;
  const quota = exceededQuota(error);
  if (quota) return refusalOfQuota(quota);
  logFailure(error, context);
  const gaps = [...secretGaps(context.env), ...bindingGaps(context.env)];
  if (gaps.length > 0) return refusalOfGaps(gaps);
  if (isTransient(error) || isDatabaseDown(error) || isStorageDown(error)) {
    return {
      code: "unavailable",
      detail: "a part of the platform cannot be reached at the moment; try again",
    };
  }
  return {
    code: "internal",
    detail: "something failed on our side; name the request id when you report it",
  };
}

/** A trigger of D1 rejected a row over a quota, or over an end user's share, and with it the whole batch. */
function refusalOfQuota(quota: CountedQuota | ShareQuota): Refusal {
  if (isShareQuota(quota)) {
    return {
      code: "quota_exceeded",
      detail: `this end user's share of the tenant's quotas, ${quota}, is used up; nothing was done: delete sessions of this end user, or ask the tenant for more`,
      extensions: { quota },
    };
  }
  return {
    code: "quota_exceeded",
    detail: `the tenant's quota ${quota} is used up; nothing was done: delete what is not needed, or ask the operator for more; GET /v1/limits shows all quotas`,
    extensions: { quota },
  };
}

function toResponse(
  context: AppContext,
  refusal: Refusal,
  headers: Readonly<Record<string, string>>,
): Response {
  const shown = shownRefusal(context.get("principal"), refusal);
  const socket = refusedSocket(context, shown);
  if (socket) return socket;
  const retryAfterMs = refusal.extensions?.["retry_after_ms"];
  return new Response(JSON.stringify(toProblem(shown, context.get("requestId"))), {
    status: ERRORS[refusal.code].status,
    headers: {
      ...headers,
      ...(typeof retryAfterMs === "number" && {
        "Retry-After": String(Math.ceil(retryAfterMs / 1_000)),
      }),
      "Content-Type": "application/problem+json",
    },
  });
}

/** The runtime marks retryable failures of calls to objects. */
function isTransient(error: Error): boolean {
  return (
    ("retryable" in error && error.retryable === true) ||
    ("overloaded" in error && error.overloaded === true)
  );
}

/** The path without secrets: a callback URL and a link of a file are credentials. Queries are never logged. */
function loggedPath(context: AppContext): string {
  const token = context.req.param("callback_token") ?? context.req.param("link_token");
  return token === undefined ? context.req.path : context.get("route").path;
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
      path: loggedPath(context),
      error: cause.name,
      stack: cause.stack,
    }),
  );
}
