// Failures of sockets to realtime providers. As with other models, the words of a provider are for developers alone: what
// a reply ends with is a fixed text.
import type { FailureReport } from "../../../agent/failure-report.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import type { SocketEnd } from "../../../outgoing/open-socket.ts";
import type { FailureKind } from "../../../protocol/diagnostics/contract.ts";
import type { ErrorInfo, ErrorType } from "../../../protocol/messages/messages.ts";
import { classifyRefusal, wordsOf } from "../../stream/model-failure.ts";
import { parseStreamEvent } from "../../stream/stream-event.ts";

export interface ProviderFailure {
  readonly error: ErrorInfo;
  /** Redacted and bounded. */
  readonly report: FailureReport;
}

/** Failures that are not the provider's answer. */
const TYPES: Partial<Record<FailureKind, ErrorType>> = {
  setup: "setup",
  egress_refused: "setup",
  malformed_answer: "upstream",
  too_large: "upstream",
  provider_error: "upstream",
  invalid_request: "invalid_request",
  credential_refused: "authentication",
  permission_refused: "permission",
  quota_spent: "permission",
  rate_limited: "rate_limit",
};

export function providerFailure(
  kind: FailureKind,
  report: Omit<FailureReport, "kind"> = {},
): ProviderFailure {
  return { error: modelError(TYPES[kind] ?? "connection"), report: { kind, ...report } };
}

/** Why a socket could not be opened. Its words are redacted already. */
export function failureOfRefusal({ kind, http_status, message }: FailureReport): ProviderFailure {
  if (http_status === undefined) return providerFailure(kind, { ...(message && { message }) });
  const said = wordsOf((message && parseStreamEvent(message)) ?? message);
  const refusal = classifyRefusal(http_status, said);
  const answered = kind === "malformed_answer" ? kind : refusal.kind;
  const error = modelError(kind === "malformed_answer" ? "upstream" : refusal.type);
  return { error, report: { kind: answered, http_status, ...said } };
}

/** Closes by the standard that are the provider's answer to what it was sent. */
const REFUSING_CLOSES: Readonly<Record<number, FailureKind>> = {
  1_002: "malformed_answer",
  1_003: "invalid_request",
  1_007: "invalid_request",
  1_008: "permission_refused",
  1_009: "invalid_request",
  1_011: "provider_error",
};

export function failureOfEnd({ code, reason, is_too_large }: SocketEnd): ProviderFailure {
  if (is_too_large) return providerFailure("too_large");
  const kind = REFUSING_CLOSES[code] ?? "connection_lost";
  return providerFailure(kind, { code: `${code}`, ...(reason !== "" && { message: reason }) });
}
