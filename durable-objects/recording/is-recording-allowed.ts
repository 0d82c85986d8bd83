import { checkCall } from "../../agent/permission/check-call.ts";
import { RECORD_TO_MEMORY } from "../../agent/memory/memory-tools.ts";
import { permissionSettings } from "../settings/permission-settings.ts";
import type { CompressionSession } from "../context/compression-session.ts";

/** Any input: rules with a content match no call of a tool without a `rule_argument`, but for those that restrict. */
const RECORDED = { thinking: "", content: [""] };

/** The decision about a call of the tool without a person: a call that would ask is refused. */
export function isRecordingAllowed(session: CompressionSession): boolean {
  const permission = permissionSettings(session.init, session);
  return checkCall(permission, RECORD_TO_MEMORY, RECORDED).behavior === "allow";
}
