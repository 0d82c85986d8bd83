import { accept, type Result } from "../protocol/errors.ts";
import type { OpenSession } from "./open-session.ts";
import { refusePermissionChange } from "./refuse-busy.ts";
import type { SessionPatch } from "./session-api.ts";

/** Written, not yet on disk for certain. */
export function updateSession(
  { active, tables, settings }: OpenSession,
  patch: SessionPatch,
): Result<null> {
  const refused = refusePermissionChange(active, patch, tables.calls);
  if (refused) return refused;
  settings.update(patch);
  return accept(null);
}
