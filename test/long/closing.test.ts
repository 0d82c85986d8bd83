// A tenant with 5,000 sessions is closed while the tokens of its apps knock: what stops when, and what it costs others.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { readMemoryBytes } from "../../bench/process-memory.ts";
import { listProcesses } from "../../scripts/processes.ts";
import { readDevFile, startProcess } from "../support/start-process.ts";

const SESSIONS = 5_000;
/** Sessions with an app that knocks; half of them run a reply that somebody reads. */
const KNOCKING = 60;
const RUNNING = 30;
/** The platform's promises, in milliseconds from the answer to the PATCH. */
const HELD_MS = 5_000;
const ALL_MS = 30_000;

interface Platform {
  readonly baseUrl: string;
  readonly operatorKey: string;
  readonly pid: number;
}

interface Created {
  readonly id: string;
  readonly api_key: string;
  readonly token: string;
}

interface Knock {
  readonly atMs: number;
  readonly status: number;
  readonly isStart: boolean;
}

interface Wait {
  readonly atMs: number;
  readonly waitMs: number;
}

function spread(waits: readonly Wait[]) {
  const sorted = waits.map(({ waitMs }) => Math.round(waitMs)).toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], longest: sorted.at(-1) };
}

async function startPlatform(): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-closing-"));
  const platform = startProcess(folder, "0", "node", true);
  onTestFinished(async () => {
    await platform.killGroup();
    rmSync(folder, { recursive: true, force: true });
  });
  await platform.ready;
  const { base_url: baseUrl, operator_key: operatorKey } = readDevFile(folder);
  return { baseUrl, operatorKey, pid: platform.pid };
}

function caller({ baseUrl }: Platform) {
  return (method: string, path: string, key: string, body?: object) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
}

/** Of the runtime and whoever started it, in megabytes. */
function memoryMegabytes({ pid }: Platform): number {
  const children = listProcesses().filter(({ parentPid }) => parentPid === pid);
  const pids = [pid, ...children.map((child) => child.pid)];
  return Math.round(pids.reduce((sum, each) => sum + readMemoryBytes(each), 0) / 2 ** 20);
}

/** At most `width` at the same time. */
async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    while (waiting.length > 0) await act(waiting.shift() as Item);
  };
  await Promise.all(Array.from({ length: width }, work));
}

test("5,000 sessions: after 5 s no lease is good, after 30 s nothing is, and it is all erased in steps", async () => {
  const platform = await startPlatform();
  const call = caller(platform);
  const { operatorKey } = platform;
  const post = async (path: string, key: string, body: object) =>
    (await (await call("POST", path, key, body)).json()) as Created;
  const [tenant, other] = [
    await post("/v1/tenants", operatorKey, { name: "Large", quotas: { sessions: SESSIONS } }),
    await post("/v1/tenants", operatorKey, { name: "Neighbour" }),
  ];
  const agent = await post("/v1/agents", tenant.api_key, { name: "Desk" });
  const otherAgent = await post("/v1/agents", other.api_key, { name: "Desk" });
  const neighbour = await post("/v1/sessions", other.api_key, { agent_id: otherAgent.id });
  const ids: string[] = [];
  await inParallel(Array.from({ length: SESSIONS }), 8, async () => {
    ids.push((await post("/v1/sessions", tenant.api_key, { agent_id: agent.id })).id);
  });
  const knocking = await Promise.all(
    ids.slice(0, KNOCKING).map(async (id) => {
      const path = `/v1/sessions/${id}`;
      return { path, token: (await post(`${path}/tokens`, tenant.api_key, {})).token };
    }),
  );
  const streams = await Promise.all(
    knocking.slice(0, RUNNING).map(async ({ path, token }) => {
      const input = "/rate 20\n/words 20000";
      const response = await call("POST", `${path}/replies`, token, { input, stream: true });
      const ended = response.text().then(
        () => Date.now(),
        () => Date.now(),
      );
      return { status: response.status, ended };
    }),
  );
  const before = memoryMegabytes(platform);

  const knocks: Knock[] = [];
  const waits: Wait[] = [];
  let isOver = false;
  const knock = async ({ path, token }: { path: string; token: string }) => {
    for (let turn = 0; !isOver; turn += 1) {
      const isStart = turn % 2 === 0;
      const { status, body } = isStart
        ? await call("POST", `${path}/replies`, token, { input: "/say hello", on_busy: "queue" })
        : await call("GET", `${path}/messages`, token);
      await body?.cancel();
      knocks.push({ atMs: Date.now(), status, isStart });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const watch = async () => {
    while (!isOver) {
      const from = performance.now();
      const { status, body } = await call("GET", `/v1/sessions/${neighbour.id}`, other.api_key);
      await body?.cancel();
      expect(status).toBe(200);
      waits.push({ atMs: Date.now(), waitMs: performance.now() - from });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const loops = [...knocking.map(knock), watch()];
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const closing = performance.now();
  const closed = await call("PATCH", `/v1/tenants/${tenant.id}`, operatorKey, { status: "closed" });
  const firstStepMs = performance.now() - closing;
  const closedAtMs = Date.now();
  let most = before;
  const steps: number[] = [];
  for (let status = closed.status; status === 202;) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const from = performance.now();
    ({ status } = await call("DELETE", `/v1/tenants/${tenant.id}`, operatorKey));
    steps.push(performance.now() - from);
    most = Math.max(most, memoryMegabytes(platform));
  }
  const erasedMs = Date.now() - closedAtMs;
  while (Date.now() < closedAtMs + ALL_MS + 2_000) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  isOver = true;
  await Promise.all(loops);

  const endedMs = (await Promise.all(streams.map(({ ended }) => ended))).map(
    (atMs) => atMs - closedAtMs,
  );
  console.info(
    JSON.stringify({
      first_step_ms: Math.round(firstStepMs),
      longest_step_ms: Math.round(Math.max(...steps, 0)),
      erased_after_ms: erasedMs,
      last_stream_ended_ms: Math.max(...endedMs),
      memory_mb: { before, most },
      neighbour_before_ms: spread(waits.filter(({ atMs }) => atMs < closedAtMs - firstStepMs)),
      neighbour_while_erasing_ms: spread(
        waits.filter(({ atMs }) => atMs > closedAtMs && atMs < closedAtMs + erasedMs),
      ),
    }),
  );
  const admitted = (fromMs: number, isStart?: boolean) =>
    knocks.filter(
      (seen) =>
        seen.atMs > closedAtMs + fromMs &&
        seen.status < 400 &&
        (isStart === undefined || seen.isStart === isStart),
    ).length;
  expect(closed.status).toBe(202);
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  expect(Math.max(...endedMs)).toBeLessThan(HELD_MS);
  expect([admitted(HELD_MS, true), admitted(ALL_MS)]).toEqual([0, 0]);
  expect(knocks.filter(({ atMs }) => atMs < closedAtMs - firstStepMs).length).toBeGreaterThan(0);
}, 900_000);
