// Reasons for which no summary was made between replies, as errors that a session keeps.
import { modelError } from "../../agent/state/model-error.ts";
import type { Refusal } from "../../protocol/errors.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";

/** The session was closed, or its tenant stopped. */
export const STOPPED: ErrorInfo = { type: "permission", message: "The session was stopped." };

export function errorOfRefusal({ code }: Refusal): ErrorInfo {
  switch (code) {
    case "quota_exceeded":
      return modelError("quota_exceeded");
    case "hook_blocked":
    case "hook_failed":
      return { type: "permission", message: "A hook has refused the summary." };
    default:
      return STOPPED;
  }
}
