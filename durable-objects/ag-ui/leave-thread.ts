// Runs that belong to forks of this session: what is kept of them here, so that all that follows them finds the way.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { refuseRunHere, type RunPlace } from "../api/run-place.ts";
import type { RunStart } from "../api/session-api.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { refuseToolNames } from "./check-run.ts";

/**
 * Refuses the run, and tells the Worker where it belongs. A fork that there is has the run from then on, whatever its
 * parent is. What a fork would refuse is refused before it is made.
 */
export async function leaveThread(
  session: OpenSession,
  { mark, input }: Pick<RunStart, "mark" | "input">,
  place: RunPlace,
): Promise<Result<never>> {
  if (place.type === "fork") {
    const refused = refuseToolNames(equippedAgent(session.settings.init), input.tools);
    if (refused) return refused;
  }
  if (place.type === "session") {
    const kept = await keepForkedRun(session, { run_id: mark.run_id, ...place });
    if (!kept.ok) return kept;
  }
  return refuseRunHere(place);
}

/** Resolves when it is on disk. @returns The fork that has the run: another one, when that was first. */
export async function keepForkedRun(
  session: OpenSession,
  { run_id, session_id }: { readonly run_id: string; readonly session_id: string },
): Promise<Result<string>> {
  const { log, tables } = session;
  if (tables.forkedRuns.find(run_id) === null) {
    const write = () => tables.forkedRuns.add(run_id, session_id);
    log.append([], { isLast: !session.isActing, write });
  }
  await log.settled();
  if (log.isClosed) return refuse("not_found", "there is no such session");
  return accept(tables.forkedRuns.find(run_id) ?? session_id);
}
