import { accept, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../session/open-session.ts";
import { refusePermissionChange } from "../reply/refuse-busy.ts";
import type { SessionPatch } from "../api/session-api.ts";

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
