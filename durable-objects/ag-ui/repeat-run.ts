// A run id that is known: which part of the run a request repeats. A part is recognised by where the log has what its
// request brought, so that nothing of the request has to be stored.
import { bringsInput } from "../../agent/loop/decide-run.ts";
import type { RunInput } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import type { Result } from "../../protocol/errors.ts";
import type { StartedRun } from "../api/session-api.ts";
import { findRunRange } from "../dialects/find-run-range.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { AgUiRunRow } from "../tables/ag-ui-run-table.ts";
import type { EarlierAnswer } from "./answered-interrupts.ts";
import { seqOfLastResult, settleRun, showRun } from "./show-run.ts";
import type { ViewedRun } from "./view-run.ts";

/** Whether a run has this id already. A reply that no AG-UI client has started is a run with the reply's id. */
export function isKnownRun({ tables }: OpenSession, runId: string): boolean {
  return tables.runs.partsOf(runId).length > 0 || tables.replies.find(runId) !== null;
}

/**
 * Whether a request under a known id brings nothing that begins another part. Messages that came with answers wait for
 * the next run: sent again with these answers, they bring nothing new.
 */
export function isRepetition(session: OpenSession, runId: string, view: ViewedRun): boolean {
  const left = view.entries.length === 0 ? [] : session.tables.runs.partsOf(runId).flatMap(leftOf);
  return !bringsInput({
    ...view,
    has_new_messages: view.fresh.some(({ id }) => !left.includes(id)),
  });
}

/**
 * The part that took what the request brings; what followed it elsewhere becomes the next part. A request that names
 * nothing of the thread gets the newest part.
 * @param earlier Where the request's answers are.
 */
export async function repeatRun(
  session: OpenSession,
  runId: string,
  brought: {
    readonly earlier: readonly EarlierAnswer[];
    readonly view: ViewedRun;
    readonly results: RunInput["results"];
  },
): Promise<Result<StartedRun>> {
  const { runs, replies } = session.tables;
  const place = newestPlace(session, brought);
  const parts = runs.partsOf(runId);
  const newest = parts.at(-1);
  // A part that ended with a called agent's question has no end of its own here: the reply ran on.
  const part = place ? parts.findLast((each) => contains(each, place)) : newest;
  if (part) {
    const { reply_id, from_seq: cursor, to_seq } = part;
    return settleRun(session, { reply_id, cursor, to_seq, is_repeated: true });
  }
  const reply_id = place?.reply_id ?? runId;
  if (reply_id !== runId || !replies.find(runId)) {
    return showRun(session, runId, reply_id, place?.seq ?? 0);
  }
  const range = findRunRange(session, reply_id, place?.seq ?? 0);
  const { from_seq: cursor = 0, to_seq = null } = range ?? {};
  return settleRun(session, { reply_id, cursor, to_seq, is_repeated: true });
}

type Place = EarlierAnswer;

/**
 * The place in the log of the newest part of the request's input; null when the request names nothing that the thread
 * has.
 */
function newestPlace(
  session: OpenSession,
  { earlier, view, results }: Parameters<typeof repeatRun>[2],
): Place | null {
  const places = [...earlier];
  const { known_reply_id: reply_id } = view;
  if (reply_id !== null) {
    const start = session.tables.replies.find(reply_id)?.start_cursor ?? session.log.visibleSeq;
    const seq = Math.max(seqOfLastResult(session, reply_id, results), start + 1);
    places.push({ reply_id, seq });
  }
  return places.toSorted((one, other) => other.seq - one.seq)[0] ?? null;
}

function contains({ reply_id, from_seq, to_seq }: AgUiRunRow, place: Place): boolean {
  return reply_id === place.reply_id && from_seq < place.seq && place.seq <= (to_seq ?? Infinity);
}

function leftOf({ left_messages }: AgUiRunRow): readonly string[] {
  return left_messages === null ? [] : (JSON.parse(left_messages) as string[]);
}
