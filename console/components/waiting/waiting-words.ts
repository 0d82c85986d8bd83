import type { PendingCall } from "../../../sdk/index.ts";

type Waiting = Pick<PendingCall, "kind" | "elicitation" | "authorization">;

/** Reason why a call waits, as a state of `StatusBadge`. */
export function waitingStatus({ kind, elicitation, authorization }: Waiting): string {
  if (kind === "permission") return "awaiting_permission";
  if (authorization) return "awaiting_sign_in";
  return elicitation ? "awaiting_answer" : "awaiting_external_result";
}
