import type { Msg } from "../messages/messages.ts";

/** Why a reply stopped, in the words of AgentScope for Java; of its eleven, those that happen here. */
export type GenerateReason =
  | "MODEL_STOP"
  | "STRUCTURED_OUTPUT"
  | "TOOL_SUSPENDED"
  | "PERMISSION_ASKING"
  | "INTERRUPTED"
  | "MAX_ITERATIONS";

/** Of a message that has ended; null for an error, which Java has no word for. */
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
