// Where the runs of a reply begin and end. The log does not say it in one place: a run ends where the reply waits, which
// is what the translation knows.
import type { AgUiHistory } from "../../protocol/dialects/ag-ui/history.ts";
import { AgUiTranslator } from "../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import type { OpenSession } from "../session/open-session.ts";
import type { AgUiRunRow } from "../tables/ag-ui-run-table.ts";

type RunRange = Pick<AgUiRunRow, "from_seq" | "to_seq">;

/** The shared state does not change where runs begin. */
const NO_HISTORY: AgUiHistory = { stateAt: () => ({}) };

/**
 * The run of a reply that has the event `seq`, as far as it is on disk; its first one for a seq before it. It costs the
 * reading of the whole reply. Null when there is no such reply.
 */
export function findRunRange(
  { tables, log }: Pick<OpenSession, "tables" | "log">,
  replyId: string,
  seq: number,
): RunRange | null {
  const row = tables.replies.find(replyId);
  if (!row) return null;
  const starts = runStarts(log.events(row.start_cursor, row.end_seq ?? undefined));
  const index = Math.max(
    starts.findLastIndex((start) => start <= seq),
    0,
  );
  const from_seq = (starts[index] ?? row.start_cursor + 1) - 1;
  const next = starts[index + 1];
  return { from_seq, to_seq: next === undefined ? row.end_seq : next - 1 };
}

/** The seqs of the events with which runs begin. */
function runStarts(
  events: Iterable<{ readonly item: Parameters<AgUiTranslator["push"]>[0] }>,
): readonly number[] {
  const translator = new AgUiTranslator(NO_HISTORY);
  const starts: number[] = [];
  for (const { item } of events) {
    for (const { seq, event } of translator.push(item)) {
      if (event.type === "RUN_STARTED") starts.push(seq);
    }
  }
  return starts;
}
