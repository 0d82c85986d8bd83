import type { Msg } from "../messages/messages.ts";
import type { Reply } from "../replies/contract.ts";

/** AgentScope for Java's `GenerateReason`: those of its eleven values that occur here. */
export type GenerateReason =
  | "MODEL_STOP"
  | "STRUCTURED_OUTPUT"
  | "TOOL_SUSPENDED"
  | "PERMISSION_ASKING"
  | "REASONING_STOP_REQUESTED"
  | "ACTING_STOP_REQUESTED"
  | "MIDDLEWARE_STOP_REQUESTED"
  | "INTERRUPTED"
  | "MAX_ITERATIONS";

/** The reason for which a reply with this status waits; null for one that does not. */
export function waitingReasonOf(status: Reply["status"]): GenerateReason | null {
  switch (status) {
    case "awaiting_permission":
      return "PERMISSION_ASKING";
    case "awaiting_external_result":
      return "TOOL_SUSPENDED";
    default:
      return null;
  }
}

/** The reason of a finished message; null for an error, for which Java has no value. */
export function generateReasonOf(message: Msg): GenerateReason | null {
  switch (message.finished_reason) {
    case "interrupted":
      return "INTERRUPTED";
    case "exceed_max_iters":
      return "MAX_ITERATIONS";
    case "completed":
      return message.structured_output ? "STRUCTURED_OUTPUT" : "MODEL_STOP";
    default:
      return null;
  }
}
