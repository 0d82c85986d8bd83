// The rows that a session leaves behind, by what writes them, and their bytes on disk. Depends on the time of a reply
// alone, and not on the machine's load.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell, Figure } from "../cell.ts";
import type { LogForm, RowCounts } from "../row-counts.ts";
import { replyOf } from "../sessions.ts";

const RATE = 50;
const SHORT = { tokens: 450, rate: RATE };
const LONG = { tokens: 1_000, rate: RATE };
const MAX_ROWS = 40;
const MAX_KILOBYTES = 60;
const MAX_EMPTY_KILOBYTES = 40;
const KILOBYTE = 1_000;
/** Milliseconds until background work at a reply's end is done. */
const SETTLE_MS = 1_000;
/** Seconds of the shortest `log_retention`, and how long until the log is condensed at most. */
const RETENTION = 60;
const RETENTION_LOOKS = 120;

export const stored: Cell = {
  name: "stored",
  title: `what is left of a session's first reply of ${SHORT.tokens} and of ${LONG.tokens} tokens, ${RATE} tokens/s`,
  isQuick: false,
  async run(bench) {
    const [short, long, condensed] = await Promise.all([
      measure(bench, SHORT),
      measure(bench, LONG),
      measureCondensed(bench),
    ]);
    const kilobytes = (long.after.size_bytes - long.before.size_bytes) / KILOBYTE;
    const rows = short.after.written - short.before.written;
    return [
      figure("an empty session", "KB", short.before.size_bytes / KILOBYTE, MAX_EMPTY_KILOBYTES),
      figure("more of them for 1,000 tokens", "KB", kilobytes, MAX_KILOBYTES),
      figure("rows of an empty session", "rows", short.before.written),
      figure(`rows of a reply of ${SHORT.tokens} tokens`, "rows", rows, MAX_ROWS),
      ...statementsOf(short),
      figure("rows for 1,000 tokens", "rows", long.after.written - long.before.written),
      ...(["stored", "frames", "deflated_frames", "deflated_stored"] as const).map((form) =>
        figure(`its log: ${NAMES[form]}`, "KB", long.after.log[form] / KILOBYTE),
      ),
      ...condensed,
    ];
  },
};

const NAMES: Readonly<Record<LogForm, string>> = {
  stored: "rows as stored",
  frames: "their frames",
  deflated_frames: "each row's frames, deflated",
  deflated_stored: "each row as stored, deflated",
};

interface Measured {
  readonly before: RowCounts;
  readonly after: RowCounts;
}

async function measure({ reprise }: Bench, script: typeof SHORT): Promise<Measured> {
  const session = await reprise.openSession();
  await sleep(SETTLE_MS);
  const before = await reprise.readRows(session.id);
  await replyOf(session, script);
  await sleep(SETTLE_MS);
  return { before, after: await reprise.readRows(session.id) };
}

/** The savings and the writes of condensing the log of the long reply, after the shortest `log_retention`. */
async function measureCondensed({ reprise }: Bench): Promise<readonly Figure[]> {
  const agent = await reprise.createAgent({ log_retention: RETENTION });
  const session = await reprise.openSessionOf(agent);
  await replyOf(session, LONG);
  await sleep(SETTLE_MS);
  const before = await reprise.readRows(session.id);
  let after = before;
  // Each look keeps the object awake, and with it the count of its rows.
  for (let look = 0; look < RETENTION_LOOKS && after.events === before.events; look += 1) {
    await sleep(SETTLE_MS);
    after = await reprise.readRows(session.id);
  }
  return [
    figure("condensed: its log", "KB", after.log.stored / KILOBYTE),
    figure("condensed: rows of its log", "rows", after.events),
    figure("condensed: rows of its log before", "rows", before.events),
    figure("condensed: less in all", "KB", (before.size_bytes - after.size_bytes) / KILOBYTE),
    figure("condensed: rows written for it", "rows", after.written - before.written),
  ];
}

/** The rows of a reply, by what writes them, most first. */
function statementsOf({ before, after }: Measured): readonly Figure[] {
  return Object.entries(after.by_statement)
    .map(([name, rows]) => ({ name, rows: rows - (before.by_statement[name] ?? 0) }))
    .filter(({ rows }) => rows > 0)
    .toSorted((first, second) => second.rows - first.rows)
    .map(({ name, rows }) => figure(`of them: ${name}`, "rows", rows));
}

function figure(name: string, unit: Figure["unit"], value: number, max?: number): Figure {
  const targets = max === undefined ? [] : [{ type: "value", max } as const];
  return { name, unit, samples: { reprise: [value] }, targets };
}
