// Why a model call failed, as the adapters tell it. Texts of a provider are not passed on: they may contain the
// provider, the URL or the credential.
import type { ErrorType } from "../../protocol/messages/messages.ts";

export interface ModelFailure {
  readonly type: ErrorType;
  readonly retryAfterMs?: number;
}

/** Any other 4xx is `invalid_request`, any 5xx `upstream`. */
const TYPES: Readonly<Record<number, ErrorType>> = {
  401: "authentication",
  402: "permission",
  403: "permission",
  408: "connection",
  409: "upstream",
  425: "upstream",
  429: "rate_limit",
};

/** Classifies a refusal by its HTTP status. */
export function typeOfStatus(status: number): ErrorType {
  return TYPES[status] ?? (status >= 400 && status < 500 ? "invalid_request" : "upstream");
}
