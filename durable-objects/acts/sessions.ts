import { sessionToolProblems } from "../../protocol/tool-groups/contract.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { SessionPatch } from "../api/session-api.ts";
import { refusePermissionChange } from "../replies/refuse-busy.ts";
import { viewSession } from "../replies/reply-view.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** Changes the session's settings. Resolves when they are on disk. */
export async function updateSession(
  session: OpenSession,
  patch: SessionPatch,
): Promise<Result<Session>> {
  const { active, tables, settings, log } = session;
  const refused = refusePermissionChange(active, patch, tables.calls);
  if (refused) return refused;
  const errors = patch.tools ? sessionToolProblems(patch.tools, settings.init.agent) : [];
  if (errors.length > 0) {
    const detail = "the session's own tools do not fit beside its agent's; see `errors`";
    return refuse("validation_failed", detail, { errors: [...errors] });
  }
  settings.update(patch);
  await session.sync();
  if (log.isClosed) return refuse("not_found", "there is no such session");
  return accept(viewSession(session.init, session));
}
