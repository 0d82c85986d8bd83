// `npm run bench [-- --check] [-- --rounds=N]`: prints what was measured; with --check it fails above a target.
import { paced, startFakeOpenAi, type PacedTokens } from "../test/support/fake-openai.ts";
import { measureCrowd, type Crowd, type CrowdFigures } from "./crowd.ts";
import { measureFirstToken, type FirstTokens } from "./first-token.ts";
import type { RowCounts } from "./row-counts.ts";
import { startRuntime, type Runtime } from "./runtime.ts";
import { quantile } from "./statistics.ts";
import { openFloor, openReply } from "./streams.ts";
import { createTenant, type BenchTenant } from "./tenant.ts";
import { readLatencies } from "./token-latency.ts";

const TOKENS = 450;
const TOKENS_PER_SECOND = 50;
const DEFAULT_ROUNDS = 5;

/** Median latency of a token over the floor's. */
const MAX_RATIO = 4;
const MAX_ROWS_PER_THOUSAND_TOKENS = 100;
const MAX_ROWS_PER_REPLY = 12;

interface Measurements {
  readonly floorMs: number[];
  readonly platformMs: number[];
  /** For each reply. */
  readonly rows: RowCounts[];
  readonly firstToken: FirstTokens;
  readonly crowd: Crowd;
}

async function measure(rounds: number): Promise<Measurements> {
  // A round is a stream of each; the first round warms up and is not counted.
  const streams = Array.from({ length: 2 * (rounds + 1) }, () => paced(TOKENS, TOKENS_PER_SECOND));
  const model = await startFakeOpenAi(...streams.map((stream) => stream.turn));
  const runtime = await startRuntime().catch(async (error: unknown) => {
    await model.stop();
    throw error;
  });
  try {
    const tenant = await createTenant(runtime, model.baseUrl);
    const measurements: Measurements = {
      floorMs: [],
      platformMs: [],
      rows: [],
      firstToken: await measureFirstToken(runtime),
      crowd: await measureCrowd(runtime),
    };
    for (let round = 0; round <= rounds; round += 1) {
      const [first, second] = streams.slice(2 * round, 2 * round + 2);
      if (!first || !second) break;
      const response = await openFloor(runtime, model.baseUrl);
      const floorMs = await readLatencies(response, first.sentAtMs, TOKENS);
      const { latenciesMs, rows } = await streamPlatform(runtime, tenant, second);
      if (round === 0) continue;
      measurements.floorMs.push(...floorMs);
      measurements.platformMs.push(...latenciesMs);
      measurements.rows.push(rows);
      console.error(`round ${round} of ${rounds}`);
    }
    return measurements;
  } finally {
    await runtime.stop();
    await model.stop();
  }
}

async function streamPlatform(runtime: Runtime, tenant: BenchTenant, stream: PacedTokens) {
  const session = await tenant.openSession();
  const before = await readRows(runtime, tenant.id, session);
  const response = await openReply(runtime, tenant, session);
  const latenciesMs = await readLatencies(response, stream.sentAtMs, TOKENS);
  const after = await readRows(runtime, tenant.id, session);
  const rows: RowCounts = {
    written: after.written - before.written,
    events: after.events - before.events,
  };
  return { latenciesMs, rows };
}

async function readRows(runtime: Runtime, tenant: string, session: string): Promise<RowCounts> {
  const query = new URLSearchParams({ tenant, session });
  const response = await fetch(`${runtime.platformUrl}/bench/rows?${query.toString()}`);
  return (await response.json()) as RowCounts;
}

/** @returns Whether every target was met. */
function report({ floorMs, platformMs, rows, firstToken, crowd }: Measurements): boolean {
  const ratio = quantile(platformMs, 0.5) / quantile(floorMs, 0.5);
  const written = Math.max(...rows.map((counts) => counts.written));
  const eventRows = Math.max(...rows.map((counts) => counts.events));
  const maxRows = (MAX_ROWS_PER_THOUSAND_TOKENS * TOKENS) / 1_000 + MAX_ROWS_PER_REPLY;
  console.log(
    [
      `${platformMs.length} tokens each, ${TOKENS} a reply at ${TOKENS_PER_SECOND} tokens/s`,
      "",
      "                                     median       p95",
      latencyRow("floor: a Worker that pipes the bytes", floorMs),
      latencyRow("Reprise: one session's reply", platformMs),
      "",
      `ratio of the medians                 ${ratio.toFixed(2)}   (target: under ${MAX_RATIO})`,
      `rows written by a reply, at most     ${written}   (target: ${maxRows}: ${MAX_ROWS_PER_REPLY}, and ${MAX_ROWS_PER_THOUSAND_TOKENS} for 1,000 tokens)`,
      `of these in the event log            ${eventRows}`,
      "",
      `first token, ${firstToken.floorMs.length} replies each`,
      latencyRow("floor", firstToken.floorMs),
      latencyRow("Reprise", firstToken.platformMs),
      "",
      `${crowd.sessions} sessions at once              tokens/s   processor time for 100,000 tokens`,
      crowdRow("floor", crowd.floor),
      crowdRow("Reprise", crowd.platform),
    ].join("\n"),
  );
  return ratio < MAX_RATIO && written <= maxRows;
}

function latencyRow(name: string, latenciesMs: readonly number[]): string {
  const cells = [0.5, 0.95].map((share) => `${quantile(latenciesMs, share).toFixed(3)} ms`);
  return `${name.padEnd(34)} ${cells.map((cell) => cell.padStart(9)).join(" ")}`;
}

function crowdRow(name: string, { tokensPerSecond, processorMs }: CrowdFigures): string {
  const seconds = processorMs === null ? "unknown" : `${(processorMs / 1_000).toFixed(2)} s`;
  return `${name.padEnd(34)} ${tokensPerSecond.toFixed(0).padStart(9)} ${seconds.padStart(9)}`;
}

function readRounds(arguments_: readonly string[]): number {
  const given = arguments_.find((argument) => argument.startsWith("--rounds="));
  const rounds = Number(given?.slice("--rounds=".length) ?? DEFAULT_ROUNDS);
  if (!Number.isSafeInteger(rounds) || rounds < 1)
    throw new Error("--rounds takes a whole number above 0");
  return rounds;
}

const isMet = report(await measure(readRounds(process.argv.slice(2))));
if (process.argv.includes("--check") && !isMet) process.exitCode = 1;
