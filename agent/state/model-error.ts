// The errors that failed model calls give a reply: one fixed text per type, so that no exception text is disclosed. A
// credential is named by its id.
import type { ErrorInfo, ErrorType } from "../../protocol/messages/messages.ts";

const MESSAGES: Record<ErrorType, string> = {
  authentication: "The model provider did not accept the credential of this agent.",
  permission: "The credential of this agent may not use this model.",
  rate_limit: "The model provider has received too many requests. Try again later.",
  invalid_request: "The model provider refused the request as it is.",
  upstream: "The model provider failed to answer properly.",
  connection: "The connection to the model provider failed or was lost.",
  internal: "Something failed on the platform's side.",
  setup: "The model of this agent is not set up correctly.",
  output_limit: "The reply holds as much as a reply may, so its model was stopped.",
  quota_exceeded: "A quota of this tenant is used up. Its operator can raise it.",
  unknown: "The model call failed.",
};

/** The error of a model call whose request the provider refused as too long, however much had left the context. */
export const CONTEXT_TOO_LONG: ErrorInfo = {
  type: "invalid_request",
  message: "The conversation is too long for the model, and could not be made short enough.",
};

/** The error that a failed model call ends with. */
export function modelError(type: ErrorType): ErrorInfo {
  return { type, message: MESSAGES[type] };
}

/**
 * The error of a model call whose credential may not be sent.
 * @param problem The rest of a sentence that begins with the credential; it holds no secret.
 */
export function credentialError(type: ErrorType, credentialId: string, problem: string): ErrorInfo {
  return { type, message: `The credential ${credentialId} of this agent's model ${problem}.` };
}
