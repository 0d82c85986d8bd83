// Runs that change nothing: a client requests again what it has missed.
import type { RunInput } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { findRunRange } from "../dialects/find-run-range.ts";
import type { StartedRun } from "../api/session-api.ts";
import { answeredState } from "../acts/confirmations.ts";

const GONE = refuse("not_found", "there is no such session");

/**
 * Registers the run of a reply that contains the event `seq` (its first run for 0) as a part of the run with this id,
 * unless it is one already. Resolves when that is on disk.
 */
export async function showRun(
  session: OpenSession,
  run_id: string,
  reply_id: string,
  seq: number,
): Promise<Result<StartedRun>> {
  const { log, tables } = session;
  await log.settled();
  if (log.isClosed) return GONE;
  const range = findRunRange(session, reply_id, seq);
  if (!range) {
    // The reply is queued.
    const cursor = tables.queue.find(reply_id)?.start_cursor ?? log.visibleSeq;
    return accept({ reply_id, cursor, is_repeated: true });
  }
  const isPart = tables.runs
    .partsOf(run_id)
    .some((part) => part.reply_id === reply_id && part.from_seq === range.from_seq);
  if (!isPart) {
    const write = () => tables.runs.add({ run_id, reply_id, ...range });
    log.append([], { isLast: !session.isActing, write });
  }
  const { from_seq: cursor, to_seq } = range;
  return settleRun(session, { reply_id, cursor, to_seq, is_repeated: true });
}

export async function settleRun(
  { log }: OpenSession,
  started: StartedRun,
): Promise<Result<StartedRun>> {
  await log.settled();
  return log.isClosed ? GONE : accept(started);
}

/** The seq at which the call of the last of these results ended; 0 when the reply has none of them. */
export function seqOfLastResult(
  session: OpenSession,
  replyId: string,
  results: RunInput["results"],
): number {
  const content = answeredState(session, replyId)?.message.content ?? [];
  const ended = new Set(
    content.flatMap((block) =>
      block.type === "tool_result" && block.state !== "running" ? [block.id] : [],
    ),
  );
  const last = results.findLast(({ tool_call_id }) => ended.has(tool_call_id));
  return (last && session.tables.calls.find(last.tool_call_id)?.seq) ?? 0;
}
