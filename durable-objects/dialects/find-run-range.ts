// Finds where the AG-UI runs of a reply begin and end, by translating the reply: a run ends where the reply waits, and
// no single event of the log says that.
import type { AgUiHistory } from "../../protocol/dialects/ag-ui/history.ts";
import { AgUiTranslator } from "../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { AgUiRunRow } from "../tables/ag-ui-run-table.ts";

type RunRange = Pick<AgUiRunRow, "from_seq" | "to_seq">;

/** The beginnings of runs depend on neither the shared state nor activities. */
const NO_HISTORY: AgUiHistory = { stateAt: () => ({}), activities: [] };

/**
 * The run of a reply that contains the event `seq`, as far as it is on disk; the first run for a lower seq. Cost: reads
 * the whole reply. Null when there is no such reply.
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
