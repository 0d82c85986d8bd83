// The errors of replies that an agent of another system gives. Fixed texts: the agent's own words are for diagnostics alone.
import type { RemoteFailure } from "../../a2a/client/remote-client.ts";
import type { FailureReport } from "../../agent/failure-report.ts";
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import type { ErrorInfo, ErrorType } from "../../protocol/messages/messages.ts";

const TYPES: { readonly [Kind in FailureKind]?: ErrorType } = {
  credential_refused: "authentication",
  permission_refused: "permission",
  rate_limited: "rate_limit",
  invalid_request: "invalid_request",
  not_found: "setup",
  redirect: "setup",
  setup: "setup",
  egress_refused: "setup",
  provider_error: "upstream",
  timeout: "connection",
  connection_lost: "connection",
  unreachable: "connection",
  dns: "connection",
  tls: "connection",
};

const MESSAGES: { readonly [Type in ErrorType]?: string } = {
  authentication: "The agent of another system did not accept the credential of this agent.",
  permission: "The agent of another system may not be used by this agent.",
  rate_limit: "The agent of another system has received too many requests. Try again later.",
  invalid_request: "The agent of another system refused the request as it is.",
  upstream: "The agent of another system failed to answer properly.",
  connection: "The connection to the agent of another system failed or was lost.",
  setup: "The agent of another system is not set up correctly in this agent.",
};

const FAILED = "The agent of another system failed.";

/** Errors that nothing is tried again for: the agent has spoken, or may have heard what it was told. */
export const REMOTE_ERRORS = {
  failed: final(FAILED),
  rejected: final("The agent of another system has rejected the task."),
  canceled: final("The agent of another system has cancelled its task."),
  empty: final("The agent of another system has completed its task without an answer."),
  unsure: final(
    "The agent of another system may have received the message, and said nothing about it. The message is not sent again.",
  ),
  late: final("The agent of another system did not complete its task in time."),
  nothing: final("There is no message that the agent of another system has not seen."),
  elsewhere: final(
    "An agent of another system gives replies alone: it writes no summaries and chooses no memories.",
  ),
} as const;

/** @param mayHaveArrived Then it is never sent again, whatever the failure. */
export function errorOf({ kind, mayHaveArrived }: RemoteFailure): ErrorInfo {
  if (mayHaveArrived) return REMOTE_ERRORS.unsure;
  const type = TYPES[kind] ?? "unknown";
  return { type, message: MESSAGES[type] ?? FAILED };
}

/** The facts for the tenant's developers. */
export function reportOf({
  kind,
  reason,
  code,
  http_status,
  message,
}: RemoteFailure): FailureReport {
  return {
    kind,
    message: message === undefined ? reason : `${reason} ${message}`,
    ...(code !== undefined && { code: String(code) }),
    ...(http_status !== undefined && { http_status }),
  };
}

function final(message: string): ErrorInfo {
  return { type: "unknown", message };
}
