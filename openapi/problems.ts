// The error responses of a route: its error codes, grouped by status.
import { A2A_BASE } from "../protocol/a2a/task-routes.ts";
import { ERRORS, type ErrorCode } from "../protocol/errors.ts";
import type { Route } from "../protocol/routes.ts";
import type { ResponseObject } from "./document-types.ts";
import { refTo } from "./document-types.ts";
import type { HeaderName } from "../protocol/requests/documented-headers.ts";
import { componentName } from "./component-name.ts";
import type { DocumentedRoute } from "../protocol/requests/contract.ts";

/** The codes that the route's access, query and body imply, and its own, in the order of the error table. */
export function errorCodesOf(route: DocumentedRoute): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  codes.add("internal");
  if (route.access !== "public" || route.is_signed || route.is_limited) {
    codes.add("rate_limited").add("unavailable");
  }
  if (route.access !== "public") codes.add("unauthenticated").add("insufficient_scope");
  if (route.access !== "operator" && (route.access !== "public" || route.is_signed)) {
    codes.add("tenant_suspended");
  }
  if (route.verb) codes.add("verb_missing").add("origin_forbidden");
  if (route.path.includes("{")) codes.add("not_found");
  if (route.path.includes("{session_id}") && route.method !== "DELETE") {
    codes.add("session_unreadable");
  }
  // Mistakes in a request of A2A are told by its method in the protocol's own form.
  const isA2a = route.path.startsWith(A2A_BASE);
  if ((route.query && !isA2a) || route.keeps_keys) codes.add("validation_failed");
  if (route.keeps_keys) codes.add("idempotency_in_flight").add("idempotency_key_reused");
  if (route.keeps_keys === "database") codes.add("answer_not_kept");
  if (growsDatabase(route)) codes.add("quota_exceeded");
  if (route.body !== "none" && route.body !== "file") {
    codes.add("body_too_large").add("unsupported_media_type");
    if (!isA2a) codes.add("malformed_json").add("input_too_deep").add("validation_failed");
  }
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Whether a tenant's request makes or changes rows of D1: above its `database_bytes` it is refused. */
function growsDatabase({ name, access, method, keeps_keys }: Route): boolean {
  if (access === "public" || access === "operator") return false;
  // The audit has the links of keys; plans, states and observed messages ask for stored bytes.
  const grows = name === "createFileLink" || name === "observe";
  return keeps_keys === "database" || grows || method === "PATCH" || method === "PUT";
}

/** The codes of each status. */
export function groupByStatus(
  codes: readonly ErrorCode[],
): ReadonlyMap<number, readonly ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

/** The component name of a response: `NotFoundOrConflict`. */
export function problemResponseName(codes: readonly ErrorCode[]): string {
  return codes.map(componentName).join("Or");
}

/** The response of one status: its codes and its headers. */
export function problemResponse(status: number, codes: readonly ErrorCode[]): ResponseObject {
  const titles = codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`);
  const headers: readonly HeaderName[] = [
    "X-Request-Id",
    // Public routes have no rate limits, and fail only with `internal`.
    ...(codes.includes("internal") ? [] : (["RateLimit-Policy"] as const)),
    // Without `Retry-After`, since some quotas get room only by deletions.
    ...(codes.includes("quota_exceeded") ? [] : (STATUS_HEADERS[status] ?? [])),
  ];
  return {
    description: titles.join(" "),
    headers: Object.fromEntries(
      headers.map((name) => [name, refTo("headers", componentName(name))]),
    ),
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            refTo("schemas", "Problem"),
            { properties: { status: { const: status }, code: { enum: codes } } },
          ],
        },
        ...(codes.includes("validation_failed") && {
          examples: { problem: refTo("examples", "problem") },
        }),
      },
    },
  };
}

const STATUS_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After", "RateLimit"],
  503: ["Retry-After"],
};
