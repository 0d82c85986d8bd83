import { checkCall } from "../../agent/permission/check-call.ts";
import { RECORD_TO_MEMORY } from "../../agent/memory/memory-tools.ts";
import { permissionSettings } from "../settings/permission-settings.ts";
import type { CompressionSession } from "../context/compression-session.ts";

/** Any input: rules with a content match no call of a tool without a `rule_argument`, but for those that restrict. */
const RECORDED = { thinking: "", content: [""] };

/** As a call of the tool would be decided that nobody is there to be asked about: what asks is not allowed. */
export function isRecordingAllowed(session: CompressionSession): boolean {
  const permission = permissionSettings(session.init, session);
  return checkCall(permission, RECORD_TO_MEMORY, RECORDED).behavior === "allow";
}
