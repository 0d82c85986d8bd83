// Triggers of one tenant that are all due in the same minute: whether each begins, when, and what another tenant notices.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell, Figure } from "../cell.ts";
import { readPath } from "../clients/read-path.ts";
import { startNeighbour } from "../hostile/start-neighbour.ts";
import { openTenant, type OwnTenant } from "../own-tenant.ts";
import type { Reprise } from "../peers/reprise.ts";
import { quantile } from "../statistics.ts";
import { readString } from "../../scripts/local-api.ts";

/** Seconds behind the minute in which all are due, within which the last one has to begin. */
const MAX_BEGINNING_SECONDS = 20 * 60;
/** Milliseconds that another tenant's reads may take longer, at the 95th percentile. */
const MAX_ADDED_MS = 100;
const MINUTE_MS = 60_000;
const QUIET_MS = 10_000;
/** The minute is chosen so that all are there, on a machine that does other work beside it too. */
const MAKING_SLACK = 4;
/** Triggers that are made, or read, at once. */
const AT_ONCE = 16;
/**
 * Triggers that are made, or read, in a second. The local runtime keeps an object that was asked, and the three files of its
 * database open, for as long as anything in memory refers to it, and a process may have 20,000 files open on most machines:
 * so each is put away when it has nothing left to do.
 */
const PER_SECOND = 50;
/** Milliseconds between looks at how many have begun; each look is a read of a tenth of a thousand triggers. */
const LOOK_MS = 5_000;
const PAGE = 100;

interface Load {
  readonly triggers: number;
  /** Minutes to the next listed time: a run begins within a tenth of them, and within ten minutes. */
  readonly intervalMinutes: number;
}

/** A day between two times: the beginnings are spread over ten minutes. */
const WHOLE: Load = { triggers: 10_000, intervalMinutes: 24 * 60 };
/** For a look at whether it works: spread over eighteen seconds. */
const SMALL: Load = { triggers: 60, intervalMinutes: 3 };

export const triggers: Cell = {
  name: "triggers",
  title: `${WHOLE.triggers.toLocaleString("en-US")} triggers of one tenant due in the same minute, each with a session of its own, and another tenant's reads beside them (quick: ${SMALL.triggers})`,
  isQuick: false,
  async run(bench) {
    const { reprise } = bench;
    const load = bench.isQuick ? SMALL : WHOLE;
    const neighbour = await startNeighbour(reprise);
    try {
      const tenant = await openTenant(reprise);
      const dueMs = minuteFor(load);
      const ids = await makeAll(reprise, tenant, load, dueMs);
      if (Date.now() > dueMs) throw new Error("the triggers were due before all of them were made");
      const alone = await neighbour.readBeside(() => sleep(QUIET_MS));
      await sleep(Math.max(dueMs - Date.now(), 0));
      const beside = await neighbour.readBeside(() => allBegun(bench, tenant, load));
      const runs = await readAll(bench, tenant, ids);
      return figuresOf({ runs, dueMs, addedMs: Math.max(beside.p95Ms - alone.p95Ms, 0) });
    } finally {
      neighbour.stop();
    }
  },
};

interface BenchRun {
  readonly trigger_context: { readonly type: string; readonly scheduled_at?: string };
  readonly status: string;
  readonly session_id: string | null;
  readonly started_at: string | null;
}

/** A whole minute that comes when all are made, and their quiet time is over. */
function minuteFor({ triggers: count }: Load): number {
  const readyMs = Date.now() + (count / PER_SECOND) * 1_000 * MAKING_SLACK + 2 * QUIET_MS;
  return Math.ceil(readyMs / MINUTE_MS) * MINUTE_MS;
}

/** @returns the triggers' ids. */
async function makeAll(
  reprise: Reprise,
  tenant: OwnTenant,
  load: Load,
  dueMs: number,
): Promise<readonly string[]> {
  const { api, agentId } = tenant;
  const schedule = { type: "cron", expression: expressionOf(dueMs, load), timezone: "UTC" };
  const numbers = Array.from({ length: load.triggers }, (_, index) => index);
  return inGroups(numbers, async (number) => {
    const body = { name: `T${number}`, agent_id: agentId, input: "/say Hello.", schedule };
    const id = readString(await api.call("POST", "/v1/triggers", body), "id");
    await putAway(reprise, tenant, { trigger: id });
    return id;
  });
}

function expressionOf(dueMs: number, { intervalMinutes }: Load): string {
  const due = new Date(dueMs);
  const minute = due.getUTCMinutes();
  if (intervalMinutes >= 24 * 60) return `${minute} ${due.getUTCHours()} * * *`;
  return `${minute},${(minute + intervalMinutes) % 60} * * * *`;
}

/** Looks until all have begun. Objects whose run has ended are put away: see {@link PER_SECOND}. */
async function allBegun({ reprise }: Bench, tenant: OwnTenant, { triggers: count }: Load) {
  const endsAtMs = performance.now() + (MAX_BEGINNING_SECONDS + 60) * 1_000;
  const ended = new Set<string>();
  while (performance.now() < endsAtMs) {
    await sleep(LOOK_MS);
    if ((await countBegun()) >= count) return;
  }

  async function countBegun(): Promise<number> {
    let [begun, page] = [0, ""];
    for (;;) {
      const { text } = await readPath(reprise, tenant, `/v1/triggers?limit=${PAGE}${page}`);
      const { data, next_page } = JSON.parse(text) as {
        readonly data: readonly { readonly id: string; readonly last_run_at: string | null }[];
        readonly next_page: string | null;
      };
      const here = data.filter(({ last_run_at }) => last_run_at !== null);
      await Promise.all(here.filter(({ id }) => !ended.has(id)).map(({ id }) => putEndedAway(id)));
      begun += here.length;
      if (next_page === null) return begun;
      page = `&page=${encodeURIComponent(next_page)}`;
    }
  }

  async function putEndedAway(id: string): Promise<void> {
    const [run] = await readRuns(reprise, tenant, id);
    if (run?.status !== "succeeded") return;
    ended.add(id);
    await Promise.all([
      putAway(reprise, tenant, { trigger: id }),
      putAway(reprise, tenant, { session: run.session_id ?? "" }),
    ]);
  }
}

function readAll(
  { reprise }: Bench,
  tenant: OwnTenant,
  ids: readonly string[],
): Promise<readonly (readonly BenchRun[])[]> {
  return inGroups(ids, async (id) => {
    const runs = await readRuns(reprise, tenant, id);
    await putAway(reprise, tenant, { trigger: id });
    return runs;
  });
}

async function readRuns(
  reprise: Reprise,
  tenant: OwnTenant,
  id: string,
): Promise<readonly BenchRun[]> {
  const { text } = await readPath(reprise, tenant, `/v1/triggers/${id}/runs`);
  return (JSON.parse(text) as { readonly data: readonly BenchRun[] }).data;
}

async function putAway(
  { baseUrl }: Reprise,
  { id }: OwnTenant,
  object: { readonly trigger: string } | { readonly session: string },
): Promise<void> {
  const path = "trigger" in object ? "put-trigger-away" : "put-away";
  const query = new URLSearchParams({ tenant: id, ...object });
  const { status } = await fetch(`${baseUrl}/bench/${path}?${query.toString()}`);
  if (status !== 200) throw new Error(`an object was not put away: ${status}`);
}

interface Measured {
  readonly runs: readonly (readonly BenchRun[])[];
  readonly dueMs: number;
  readonly addedMs: number;
}

function figuresOf({ runs, dueMs, addedMs }: Measured): readonly Figure[] {
  const due = new Date(dueMs).toISOString();
  const ofMinute = runs.map((own) =>
    own.filter(({ trigger_context: { scheduled_at } }) => scheduled_at === due),
  );
  const seconds = ofMinute
    .flat()
    .flatMap(({ started_at }) =>
      started_at === null ? [] : [(Date.parse(started_at) - dueMs) / 1_000],
    );
  const wrong = ofMinute.filter((own) => own.length !== 1 || own[0]?.started_at === null).length;
  return [
    {
      name: "the last one begins behind its minute",
      unit: "s",
      samples: { reprise: [seconds.reduce((last, one) => Math.max(last, one), 0)] },
      targets: [{ type: "value", max: MAX_BEGINNING_SECONDS }],
    },
    { name: "half of them", unit: "s", samples: { reprise: [quantile(seconds, 0.5)] } },
    {
      name: "begun twice, or never",
      unit: "count",
      samples: { reprise: [wrong] },
      targets: [{ type: "value", max: 0 }],
    },
    {
      name: "added to another tenant's reads (p95)",
      unit: "ms",
      samples: { reprise: [addedMs] },
      targets: [{ type: "value", max: MAX_ADDED_MS }],
    },
  ];
}

/** Some at a time, so that the client is not what is measured, and no more than {@link PER_SECOND}. */
async function inGroups<Item, Value>(
  items: readonly Item[],
  act: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const pause = sleep((AT_ONCE / PER_SECOND) * 1_000);
    values.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(act))));
    await pause;
  }
  return values;
}
