// Kinds of failures of requests to tenants' addresses, by status or exception.
import type { FailureKind } from "../protocol/diagnostics/contract.ts";
import { BodyTooBig } from "./body.ts";
import { OutgoingRefused } from "./outgoing.ts";
import { NoRoom } from "./with-room.ts";

/** Statuses with a kind of their own; those from 520 on are what Cloudflare answers in place of an exception. */
const KINDS: Readonly<Record<number, FailureKind>> = {
  401: "credential_refused",
  402: "quota_spent",
  403: "permission_refused",
  404: "not_found",
  407: "credential_refused",
  408: "timeout",
  413: "too_large",
  429: "rate_limited",
  521: "unreachable",
  522: "timeout",
  523: "unreachable",
  524: "timeout",
  525: "tls",
  526: "tls",
  530: "dns",
};

/** The kind of a status that is no success. */
export function failureKindOfStatus(status: number): FailureKind {
  const kind = KINDS[status];
  if (kind) return kind;
  if (status >= 300 && status < 400) return "redirect";
  return status >= 400 && status < 500 ? "invalid_request" : "provider_error";
}

/** The kind of an exception before the response, or while its body was read. */
export function failureKindOfError(error: unknown, isAnswered: boolean): FailureKind {
  if (OutgoingRefused.isInstance(error)) return "egress_refused";
  if (error instanceof BodyTooBig) return "too_large";
  if (NoRoom.isInstance(error)) return "rate_limited";
  if (isAnswered) return "connection_lost";
  const text = textsOf(error).join(" ");
  if (/\bdns\b|enotfound|getaddrinfo|eai_again|name (?:not|resolution)/i.test(text)) return "dns";
  if (/\btls\b|\bssl\b|certificate|handshake/i.test(text)) return "tls";
  return /timed? ?out|etimedout/i.test(text) ? "timeout" : "unreachable";
}

/**
 * Whether a request that ended with this exception may have reached the other side: a connection that was kept open from
 * an earlier request may be closed there in the moment in which it is used again. The runtime says of a connection that
 * was refused the same.
 */
export function mayHaveArrived(error: unknown): boolean {
  if (failureKindOfError(error, false) !== "unreachable") return false;
  const text = textsOf(error).join(" ");
  return /connection (?:was |has been )?(?:lost|closed|reset)|other side closed|econnreset|epipe|hang up|premature/i.test(
    text,
  );
}

const NOT_SENT: ReadonlySet<FailureKind> = new Set([
  "egress_refused",
  "rate_limited",
  "dns",
  "tls",
]);

/** Whether it is sure that the other side has nothing of a request that ended with this exception. */
export function hasNotLeft(error: unknown): boolean {
  const kind = failureKindOfError(error, false);
  if (kind !== "unreachable") return NOT_SENT.has(kind);
  return /refused|ehostunreach|enetunreach/i.test(textsOf(error).join(" "));
}

/** The messages and codes of an exception and its causes. */
function textsOf(error: unknown): readonly string[] {
  const texts: string[] = [];
  let current = error;
  for (let depth = 0; depth < 4 && typeof current === "object" && current !== null; depth++) {
    if ("message" in current) texts.push(String(current.message));
    if ("code" in current) texts.push(String(current.code));
    current = "cause" in current ? current.cause : null;
  }
  return texts;
}
