// Says in words what a failure between the platform and a model or a tool means, and what to do about it. Pure.
import type { FailureKind } from "../protocol/diagnostics/contract.ts";

export interface ExplainedFailure {
  readonly kind: FailureKind;
  readonly http_status: number | null;
  readonly code: string | null;
}

/** The model or the tool that was called. */
export interface FailedParty {
  /** Words for it, such as `The model endpoint api.example.com` or `The tool lookup_order`. */
  readonly name: string;
  readonly isModel: boolean;
  readonly credential_id: string | null;
}

/** The failure as a sentence without its full stop. Holds no text of the other side but its code. */
export function describeFailure(
  { kind, http_status, code }: ExplainedFailure,
  { name }: FailedParty,
): string {
  const coded = code === null ? "" : ` (${code})`;
  if (http_status !== null && !WITHOUT_STATUS.has(kind)) {
    return `${name} answered ${http_status}${coded}`;
  }
  return `${name} ${WORDS[kind]}${coded}`;
}

/** Kinds of which a status would tell less. */
const WITHOUT_STATUS: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "connection_lost",
  "stalled",
  "malformed_answer",
  "empty_answer",
  "output_spent",
  "answer_withheld",
  "too_large",
  "output_limit",
  "machine_lost",
  "tool_error",
]);

const WORDS: Record<FailureKind, string> = {
  credential_refused: "refused the credential",
  permission_refused: "refused access",
  quota_spent: "says that its quota or budget is used up",
  not_found: "does not know what was asked for",
  rate_limited: "has received too many requests",
  context_too_long: "says that the conversation is too long",
  invalid_request: "refused the request",
  provider_error: "failed",
  redirect: "answered with a redirect",
  timeout: "did not answer in time",
  stalled: "stopped sending in the middle of its answer",
  connection_lost: "closed the connection before its answer ended",
  unreachable: "could not be reached",
  dns: "has a host name that was not found",
  tls: "has no TLS certificate that is trusted",
  egress_refused: "has an address that the platform does not connect to",
  setup: "is not set up correctly, so nothing was sent",
  malformed_answer: "answered in a form that could not be read",
  empty_answer: "answered without any text and without a call",
  output_spent: "spent its output limit, on thinking or otherwise, before it gave an answer",
  answer_withheld: "withheld the answer by its filter",
  too_large: "answered with more than may be read",
  output_limit: "wrote more than a reply may hold, so it was stopped",
  tool_error: "reported an error",
  machine_lost:
    "was lost from sight when the machine that called it ended, so the outcome is unknown",
  internal: "could not be called, because something failed on the platform's side",
  unknown: "could not be called",
};

/** Advice on what to do next, as one sentence. */
export function hintFor(
  { kind }: Pick<ExplainedFailure, "kind">,
  { isModel, credential_id }: FailedParty,
): string {
  const credential = credential_id === null ? null : `the credential ${credential_id}`;
  switch (kind) {
    case "credential_refused":
      return credential === null
        ? "The definition names no credential: give it a credential_id."
        : `Check ${credential}: its secret may be wrong, revoked or for another endpoint.`;
    case "permission_refused":
      return `Check what ${credential ?? "a request without a credential"} may do there${
        isModel ? ", and whether it may use this model" : ""
      }.`;
    case "quota_spent":
      return "Check the account's budget and billing at the provider; trying again does not help.";
    case "not_found":
      return isModel
        ? "Check the model's name and its base_url, which ends before /chat/completions, /responses or /v1/messages."
        : "Check the tool's url.";
    case "rate_limited":
      return isModel
        ? "Wait, raise the limit at the provider, or name fallback_models."
        : "Wait, or let the tool's server take more requests.";
    case "context_too_long":
      return "The platform takes older messages out of the context and asks again. Where that is not enough, shorten the system prompt, the schemas of the tools or the newest message, send fewer media, or use a model with a larger context.";
    case "invalid_request":
      return isModel
        ? "Check the model's parameters, and whether it can take tools and the media that were sent."
        : "Check that the tool's server takes a POST with the platform's JSON body.";
    case "provider_error":
      return isModel
        ? "The fault is the provider's: try again later, look at its status page, or name fallback_models."
        : "Look at the log of the tool's server.";
    case "redirect":
      return `Redirects are not followed: give the ${isModel ? "base_url" : "url"} that it leads to.`;
    case "timeout":
      return isModel
        ? "Check that the endpoint answers; a slow one needs a greater stall_ms, or none."
        : "Check that the tool's server answers; a slow one needs a greater timeout_ms.";
    case "stalled":
      return "Try again; for a model that thinks silently, raise stall_ms.";
    case "connection_lost":
      return "Try again; when it happens each time, look for a proxy with a time limit on the way.";
    case "unreachable":
      return "Check that the server runs and that host and port are right.";
    case "dns":
      return "Check the spelling of the host, and that it has a public DNS entry.";
    case "tls":
      return "Check the server's certificate: it has to be valid, for this host, and from a public authority.";
    case "egress_refused":
      return "Use a public https address: private, local and reserved hosts are not connected to.";
    case "setup":
      return `Check ${credential ?? "the definition"}: it may be deleted, or its allowed_hosts may not name this host.`;
    case "malformed_answer":
      return isModel
        ? "Check that the endpoint at base_url streams what the definition asks for: chat completions, responses or Anthropic's messages."
        : "Check what the tool's server sends: docs/tools.md has the forms.";
    case "empty_answer":
      return "Try again, or use another model; a small limit of output tokens in its parameters may leave no room for text.";
    case "output_spent":
      return "Raise the limit of output tokens in the model's parameters, or let it think less with reasoning_effort; the same request meets the same limit.";
    case "answer_withheld":
      return "The provider's content filter has taken the answer away: change what is asked, or the filter's settings there, or name fallback_models.";
    case "too_large":
      return isModel
        ? "Limit the model's output in its parameters."
        : "Raise max_bytes, or answer with less.";
    case "output_limit":
      return "Limit the model's output in its parameters, or ask for less at once.";
    case "tool_error":
      return "The call's result in the reply's message has the tool's own words.";
    case "machine_lost":
      return "Nothing has to be done for the platform; find out whether the call took effect.";
    case "internal":
    case "unknown":
      return "Try again later; when it stays, tell the operator the reply's id.";
    default:
      return kind satisfies never;
  }
}
