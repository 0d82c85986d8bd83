// Refusals of the platform as errors of A2A.
import type { A2aErrorName, A2aFailure } from "../../protocol/a2a/errors.ts";
import { ERRORS, type ErrorCode, type Refusal } from "../../protocol/errors.ts";
import type { AppContext } from "../app-env.ts";
import { refusalOfFailure } from "../handle-error.ts";
import { A2aError } from "./a2a-error.ts";

/** Statuses that say more than the error of A2A, with the names of google.rpc for them. */
const OWN_STATUSES: Readonly<Record<number, string>> = {
  // Of a credential that has ended while its message was at work: the answer has begun, and its status is sent.
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  413: "INVALID_ARGUMENT",
  415: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
};

/** The failure of a request, its details logged where nobody has expected it. */
export function toFailure(error: unknown, context: AppContext): A2aFailure {
  if (error instanceof A2aError) return error.failure;
  const failure = error instanceof Error ? error : new Error(String(error));
  return failureOfRefusal(refusalOfFailure(failure, context));
}

function failureOfRefusal({ code, detail, errors = [], extensions = {} }: Refusal): A2aFailure {
  const { status } = ERRORS[code];
  const grpc = OWN_STATUSES[status];
  const { quota } = extensions;
  const violations = errors.map(({ pointer, detail: description }) => ({
    field: fieldOf(pointer),
    description,
  }));
  return {
    name: nameOf(code, status),
    message: detail,
    metadata: { cause: code, ...(typeof quota === "string" && { quota }) },
    ...(violations.length > 0 && { violations }),
    ...(grpc !== undefined && { status, grpc }),
  };
}

function nameOf(code: ErrorCode, status: number): A2aErrorName {
  if (code === "malformed_json") return "parse_error";
  if (status === 401 || status === 403) return "invalid_request";
  if (status === 409) return "unsupported_operation";
  return status < 429 ? "invalid_params" : "internal_error";
}

/** `#/message/parts/0` as `message.parts[0]`. */
export function fieldOf(pointer: string): string {
  return pointer
    .replace(/^#\/?/, "")
    .replace(/(^|\/)(\d+)(?=\/|$)/g, "[$2]")
    .replaceAll("/", ".")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}
