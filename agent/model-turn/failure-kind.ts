import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import type { ErrorType } from "../../protocol/messages/messages.ts";

const KINDS: Record<ErrorType, FailureKind> = {
  authentication: "credential_refused",
  permission: "permission_refused",
  rate_limit: "rate_limited",
  invalid_request: "invalid_request",
  upstream: "provider_error",
  connection: "connection_lost",
  setup: "setup",
  output_limit: "output_limit",
  quota_exceeded: "quota_spent",
  internal: "internal",
  unknown: "unknown",
};

/** The kind of a failure of which the adapter has reported nothing more than its type. */
export function failureKindOf(type: ErrorType): FailureKind {
  return KINDS[type];
}
