import type { AbilityFold } from "../ability.ts";
import {
  advanceUntrusted,
  NO_UNTRUSTED_CONTENT,
  type UntrustedContent,
} from "./untrusted-content.ts";
import { UNTRUSTED_CONTENT } from "../../protocol/messages/untrusted-content.ts";

/**
 * A fork keeps it. An import makes its own, since what it does not say is untrusted: `durable-objects/sessions/`.
 */
export const UNTRUSTED_CONTENT_FOLD: AbilityFold<UntrustedContent> = {
  name: UNTRUSTED_CONTENT,
  initial: NO_UNTRUSTED_CONTENT,
  reads: ["TOOL_RESULT_START", "TOOL_RESULT_END", "HINT_BLOCK", "MODEL_CALL_START", "CUSTOM"],
  advance: advanceUntrusted,
};
