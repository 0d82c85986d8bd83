// Finds out whether a run belongs to this thread. A thread has no branches: a run whose parent is older than the newest
// reply belongs to a fork, and so does every run that follows it.
import { MAX_ASKED_FORKS } from "../../protocol/ag-ui/limits.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import type { RunPlace } from "../api/run-place.ts";
import type { RunStart } from "../api/session-api.ts";
import { newestReply } from "../sessions/newest-reply.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { isKnownRun } from "./repeat-run.ts";
import type { ViewedRun } from "./view-run.ts";

/**
 * The session in which a run belongs that repeats none of this session's; null for this one. A run that would begin no
 * reply is never forked: an input that is sent again is shown in its place, and an answer belongs to the call that
 * waits for it.
 */
export function placeRun(
  session: OpenSession,
  { mark, is_parent_unknown = false }: Pick<RunStart, "mark" | "is_parent_unknown">,
  view: ViewedRun,
): RunPlace | null {
  const { forkedRuns } = session.tables;
  const { run_id, parent_run_id: parent } = mark;
  const parentFork = parent === undefined ? null : forkedRuns.find(parent);
  const session_id = forkedRuns.find(run_id) ?? parentFork;
  const at = parentFork === null ? branchingMessage(session, mark) : null;
  if (session_id !== null) return { type: "session", session_id, is_branch: at !== null };
  if (at !== null) return beginsReply(view) ? { type: "fork", at } : null;
  if (parent === undefined || is_parent_unknown || isKnownHere(session, parent)) return null;
  const session_ids = forkedRuns.sessions(MAX_ASKED_FORKS);
  return session_ids.length === 0 ? null : { type: "unknown", session_ids };
}

/** Refuses a run with an older parent that answers what waits here: a fork would have nothing that it answers. */
export function refuseBranch(session: OpenSession, mark: RunStart["mark"]): Result<never> | null {
  if (branchingMessage(session, mark) === null) return null;
  const detail = `the thread went on after run ${mark.parent_run_id}; an answer belongs to its newest run`;
  return refuse("conflict", detail, { errors: [{ pointer: "#/parentRunId", detail }] });
}

/** Whether a run is this session's or, of a fork, the one that it branched from. */
function isKnownHere(session: OpenSession, runId: string): boolean {
  return isKnownRun(session, runId) || runId === session.init.parent_run_id;
}

/**
 * The last message of the conversation that the run continues with, when that is not the newest one: its parent's reply,
 * or the end of a fork's copy. Null without a parent, for an unknown one, and for another part of the newest run, which
 * continues where that is.
 */
function branchingMessage(
  session: OpenSession,
  { run_id, parent_run_id: parent }: RunStart["mark"],
): string | null {
  if (parent === undefined) return null;
  const newest = newestReply(session)?.id ?? null;
  if (newest === null || replyOf(session, run_id) === newest) return null;
  const reply = replyOf(session, parent);
  if (reply !== null) return reply === newest ? null : reply;
  const { parent_run_id, forked_from } = session.init;
  return parent === parent_run_id ? (forked_from?.message_id ?? null) : null;
}

/** The reply of a run's newest part. */
function replyOf({ tables }: OpenSession, runId: string): string | null {
  return tables.runs.partsOf(runId).at(-1)?.reply_id ?? tables.replies.find(runId)?.id ?? null;
}

function beginsReply({ entries, has_new_messages, is_unanswered }: ViewedRun): boolean {
  return entries.length === 0 && (has_new_messages || is_unanswered);
}
