// `npx node bench/scale.ts`: computes the tables of docs/scale.md from the measured costs and the platform's limits and
// prices.
import { formatNumber } from "./report/format-value.ts";
import { simulate, streamsOfOneDatabase, useOfLimits, type Demand } from "./scale/simulate.ts";
import { MEASURED, type UnitCosts } from "./scale/unit-costs.ts";
import { WORKLOADS } from "./scale/workload.ts";

const ROWS: readonly (readonly [name: string, pick: (demand: Demand) => number])[] = [
  ["replies that begin, a second", ({ replies }) => replies],
  ["requests to the Worker, a second", ({ workerRequests }) => workerRequests],
  ["requests to objects, a second", ({ objectRequests }) => objectRequests],
  ["objects in memory", ({ objectsAlive }) => objectsAlive],
  ["isolates that they fill", ({ isolates }) => Math.ceil(isolates)],
  ["objects made, a day", ({ objectsMade }) => objectsMade],
  ["processor cores", ({ processorCores }) => processorCores],
  ["rows written by objects, a second", ({ objectRows }) => objectRows],
  ["rows written to D1, a second", ({ databaseRows }) => databaseRows],
  ["D1 is busy, milliseconds a second", ({ databaseMs }) => databaseMs],
  ["databases that have the time", ({ databasesByTime }) => databasesByTime],
  ["D1 grows, GB a day", ({ databaseBytesOfDay }) => databaseBytesOfDay / 1e9],
  ["days until one database is full", ({ daysToFull }) => daysToFull],
  ["databases that have the room for a year", ({ databasesByYear }) => databasesByYear],
];

const demands = WORKLOADS.map((workload) => simulate(workload, MEASURED));
const posts = Object.keys(demands[0]?.dollars ?? {}) as (keyof Demand["dollars"])[];

printTable(
  ["", ...WORKLOADS.map(({ name }) => name)],
  [
    ["tenants", ...WORKLOADS.map(({ tenants }) => formatNumber(tenants))],
    ["streams at once", ...WORKLOADS.map(({ streams }) => formatNumber(streams))],
    ...ROWS.map(([name, pick]) => [name, ...demands.map((demand) => formatNumber(pick(demand)))]),
  ],
);
printTable(
  ["dollars a month", ...WORKLOADS.map(({ name }) => name)],
  [
    ...posts.map((post) => [post, ...demands.map(({ dollars }) => formatNumber(dollars[post]))]),
    ["together", ...demands.map((demand) => formatNumber(total(demand)))],
    ["for 1,000 replies", ...demands.map((demand) => formatNumber(forThousand(demand)))],
  ],
);
printLimits("used of a limit after a year", MEASURED);
console.log(`One database has the time for ${streamsOfOneDatabase(MEASURED)} streams at once.`);

function printLimits(heading: string, costs: UnitCosts): void {
  const uses = WORKLOADS.map((workload) => useOfLimits(simulate(workload, costs)));
  const limits = uses[0]?.map(([limit]) => limit) ?? [];
  printTable(
    [heading, ...WORKLOADS.map(({ name }) => name)],
    limits.map((limit, index) => [
      limit,
      ...uses.map((use) => `${formatNumber(use[index]?.[1] ?? Number.NaN)} ×`),
    ]),
  );
}

function total({ dollars }: Demand): number {
  return Object.values(dollars).reduce((sum, each) => sum + each, 0);
}

function forThousand(demand: Demand): number {
  return total(demand) / (demand.repliesOfMonth / 1_000);
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...rows];
  console.log(`${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`);
}
