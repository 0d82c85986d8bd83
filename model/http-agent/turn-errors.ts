// The errors of replies that an agent in code over HTTP gives. Fixed texts: the server's own words are for diagnostics alone.
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import type { ErrorInfo, ErrorType } from "../../protocol/messages/messages.ts";
import { failureKindOfError, failureKindOfStatus } from "../../outgoing/failure-kind.ts";
import type { ModelFailure } from "../stream/model-failure.ts";
import { readRetryAfterMs } from "../stream/read-retry-after.ts";

/** Kinds that pass by themselves, or that a setting has to be changed for. Of any other, nothing is tried again. */
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
  connection_lost: "connection",
  unreachable: "connection",
  dns: "connection",
  tls: "connection",
};

const MESSAGES: { readonly [Type in ErrorType]?: string } = {
  authentication: "The server of this agent did not accept its credential.",
  permission: "The server of this agent refused the request.",
  rate_limit: "The server of this agent has received too many requests. Try again later.",
  invalid_request: "The server of this agent refused the request as it is.",
  upstream: "The server of this agent failed to answer properly.",
  connection: "The connection to the server of this agent failed or was lost.",
  setup: "The server of this agent is not set up correctly.",
  internal: "Something failed on the platform's side.",
};

export function turnError(type: ErrorType): ErrorInfo {
  return { type, message: MESSAGES[type] ?? "The server of this agent gave no valid answer." };
}

/** A turn that took too long is not asked for again: it would take as long again, while somebody waits. */
export const LATE_TURN: ErrorInfo = {
  type: "unknown",
  message: "The server of this agent did not answer in time.",
};

/** A status that is no success. */
export class TurnRefusal extends Error {
  override readonly name = "TurnRefusal";
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor({ status, headers }: Response, nowMs: number) {
    super(`status ${status}`);
    this.status = status;
    this.retryAfterMs = readRetryAfterMs(headers, nowMs);
  }
}

export function classifyTurn(error: unknown): ModelFailure {
  if (error instanceof TurnRefusal) {
    const { status, retryAfterMs } = error;
    const kind = failureKindOfStatus(status);
    const report = { kind, http_status: status };
    return { type: TYPES[kind] ?? "upstream", retryAfterMs, report };
  }
  const kind = failureKindOfError(error, false);
  return { type: TYPES[kind] ?? "connection", report: { kind } };
}
