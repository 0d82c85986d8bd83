// Schedules under a clock that the test sets: each time is a run, once, or counted as missed.
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";

import type { ArmedTrigger } from "../../../durable-objects/api/trigger-api.ts";
import type { Trigger } from "../../../protocol/triggers/contract.ts";
import { MAX_JITTER_MS } from "../../../protocol/triggers/limits.ts";
import { seen, triggerDesk, type OpenTrigger } from "./trigger-desk.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than any jitter of an hour. */
const BEHIND_MS = HOUR_MS / 10 + 1_000;

const HOURLY = { type: "cron", expression: "0 * * * *", timezone: "UTC" } as const;

afterEach(() => vi.useRealTimers());

/** The start of the next hour, so that nothing is due in between. */
function nextHourMs(): number {
  return Math.ceil((Date.now() + 60_000) / HOUR_MS) * HOUR_MS;
}

function times(...ms: readonly number[]): readonly string[] {
  return ms.map((each) => new Date(each).toISOString());
}

/** The state of it by then. */
async function at(trigger: OpenTrigger, ms: number) {
  vi.setSystemTime(ms);
  const runs = await trigger.settle();
  return runs.map(seen).toReversed();
}

async function stateOf(trigger: OpenTrigger): Promise<Partial<Trigger>> {
  const { status, missed_runs, failures_in_row, paused_reason } = await trigger.read();
  return { status, missed_runs, failures_in_row, paused_reason };
}

test("each time of a schedule is one run, also where its alarm goes off twice", async () => {
  const hourMs = nextHourMs();
  const trigger = await (await triggerDesk()).make({ schedule: HOURLY });
  expect(trigger.made.upcoming_runs_at).toEqual(
    times(...[0, 1, 2, 3, 4].map((hours) => hourMs + hours * HOUR_MS)),
  );
  expect(await at(trigger, hourMs - 1_000)).toEqual([]);
  const [first, second] = times(hourMs, hourMs + HOUR_MS);
  expect(await at(trigger, hourMs + BEHIND_MS)).toEqual([[first, "succeeded"]]);
  await trigger.ring();
  await runDurableObjectAlarm(trigger.stub());
  expect(await at(trigger, hourMs + 2 * BEHIND_MS)).toEqual([[first, "succeeded"]]);
  expect(await at(trigger, hourMs + HOUR_MS + BEHIND_MS)).toEqual([
    [first, "succeeded"],
    [second, "succeeded"],
  ]);
  const { last_run_at } = await trigger.read();
  expect(last_run_at).toBe((await trigger.runs())[0]?.created_at);
  expect(await stateOf(trigger)).toEqual({
    status: "active",
    missed_runs: 0,
    failures_in_row: 0,
    paused_reason: null,
  });
});

test("after a day without an alarm the policy says which of the missed times are made up for", async () => {
  const hourMs = nextHourMs();
  const desk = await triggerDesk();
  const make = (missed: string) => desk.make({ schedule: HOURLY, missed, overlap: "allow" });
  const [skip, once, all] = [await make("skip"), await make("run_once"), await make("run_all")];
  // The last one is two thirds of an hour ago: 24 times have passed.
  const backMs = hourMs + 23 * HOUR_MS + (HOUR_MS * 2) / 3;
  const last = times(hourMs + 23 * HOUR_MS)[0];
  expect(await at(skip, backMs)).toEqual([]);
  expect(await at(once, backMs)).toEqual([[last, "succeeded"]]);
  const made = await at(all, backMs);
  expect(made.map(([time]) => time)).toEqual(
    times(...Array.from({ length: 10 }, (_, index) => hourMs + (14 + index) * HOUR_MS)),
  );
  const missed = [skip, once, all].map(async (each) => (await each.read()).missed_runs);
  expect(await Promise.all(missed)).toEqual([24, 23, 14]);
  // From then on it is as before.
  const next = times(hourMs + DAY_MS)[0];
  expect(await at(skip, hourMs + DAY_MS + BEHIND_MS)).toEqual([[next, "succeeded"]]);
});

test("a trigger for one time runs then, is completed, and goes on with another time", async () => {
  const runAtMs = nextHourMs();
  const [run_at, later] = times(runAtMs, runAtMs + DAY_MS);
  const trigger = await (await triggerDesk()).make({ schedule: { type: "once", run_at } });
  expect(trigger.made.upcoming_runs_at).toEqual([run_at]);
  expect(await at(trigger, runAtMs)).toEqual([[run_at, "succeeded"]]);
  expect(await trigger.read()).toMatchObject({ status: "completed", upcoming_runs_at: [] });
  expect((await trigger.post("unpause")).status).toBe(409);
  expect((await trigger.run()).status).toBe(202);
  await trigger.settle();
  const changed = await trigger.change({ schedule: { type: "once", run_at: later } });
  expect(changed.json).toMatchObject({ status: "active", upcoming_runs_at: [later] });
  expect(await at(trigger, runAtMs + DAY_MS)).toEqual([
    [run_at, "succeeded"],
    ["manual", "succeeded"],
    [later, "succeeded"],
  ]);
  expect(await trigger.read()).toMatchObject({ status: "completed" });
});

test("a paused trigger runs by hand alone, and times of the pause are neither made up for nor missed", async () => {
  const hourMs = nextHourMs();
  const trigger = await (await triggerDesk()).make({ schedule: HOURLY, missed: "run_all" });
  expect((await trigger.post("pause")).json).toMatchObject({
    status: "paused",
    paused_reason: { type: "manual" },
    upcoming_runs_at: times(...[0, 1, 2, 3, 4].map((hours) => hourMs + hours * HOUR_MS)),
  });
  expect((await trigger.post("pause")).status).toBe(200);
  expect(await at(trigger, hourMs + 3 * HOUR_MS + BEHIND_MS)).toEqual([]);
  await trigger.run();
  expect((await trigger.settle()).map(seen)).toEqual([["manual", "succeeded"]]);
  expect((await trigger.read()).last_run_at).toBeNull();
  expect((await trigger.post("unpause")).json).toMatchObject({
    status: "active",
    paused_reason: null,
  });
  const next = times(hourMs + 4 * HOUR_MS)[0];
  expect(await at(trigger, hourMs + 4 * HOUR_MS + BEHIND_MS)).toEqual([
    ["manual", "succeeded"],
    [next, "succeeded"],
  ]);
  expect((await trigger.read()).missed_runs).toBe(0);
});

test("a pause that the object was not told holds all the same, and so does a deletion", async () => {
  const hourMs = nextHourMs();
  const trigger = await (await triggerDesk()).make({ schedule: HOURLY });
  const { id } = trigger.made;
  await env.DB.prepare(
    "UPDATE triggers SET status = 'paused', revision = revision + 1 WHERE id = ?",
  )
    .bind(id)
    .run();
  expect(await at(trigger, hourMs + BEHIND_MS)).toEqual([]);
  await env.DB.prepare(
    "UPDATE triggers SET status = 'active', revision = revision + 1, due_after = ? WHERE id = ?",
  )
    .bind(new Date().toISOString(), id)
    .run();
  const { tenant_id, definition, revision, due_after } = (await env.DB.prepare(
    "SELECT tenant_id, definition, revision, due_after FROM triggers WHERE id = ?",
  )
    .bind(id)
    .first<{ tenant_id: string; definition: string; revision: number; due_after: string }>())!;
  const armed: ArmedTrigger = {
    tenant_id,
    trigger_id: id,
    revision,
    status: "active",
    definition: JSON.parse(definition),
    due_after,
    origin: null,
  };
  expect(await trigger.stub().configure(armed)).toEqual({ ok: true, value: null });
  // A late call of somebody who has read an older row.
  const late = { ...armed, revision: 1, due_after: new Date(hourMs - DAY_MS).toISOString() };
  await trigger.stub().configure(late);
  const [next] = times(hourMs + HOUR_MS);
  expect(await at(trigger, hourMs + HOUR_MS + BEHIND_MS)).toEqual([[next, "succeeded"]]);
  expect((await trigger.remove()).status).toBe(204);
  const again = await trigger.stub().configure(armed);
  expect([again.ok, await trigger.stub().listRuns({ limit: 5 })]).toEqual([
    false,
    { data: [], has_more: false, next_page: null },
  ]);
});

test("another schedule begins now, and times of the one before it are not due", async () => {
  const hourMs = nextHourMs();
  const trigger = await (await triggerDesk()).make({ schedule: HOURLY });
  vi.setSystemTime(hourMs + 10 * HOUR_MS);
  const daily = { type: "cron", expression: "30 12 * * *", timezone: "Europe/Berlin" };
  const { json } = await trigger.change({ schedule: daily });
  expect(json.missed_runs).toBe(0);
  expect(await at(trigger, hourMs + 10 * HOUR_MS + 1)).toEqual([]);
  const next = Date.parse(json.upcoming_runs_at[0] ?? "");
  expect(await at(trigger, next + MAX_JITTER_MS)).toEqual([
    [json.upcoming_runs_at[0], "succeeded"],
  ]);
});

test.each([
  ["an expression of another language", { ...HOURLY, expression: "0 0 L * *" }],
  ["a name for an expression", { ...HOURLY, expression: "@daily" }],
  ["a zone that is none", { ...HOURLY, timezone: "Mars/Olympus" }],
  ["a day that never comes", { ...HOURLY, expression: "0 0 31 2 *" }],
  ["a time that has passed", { type: "once", run_at: "2020-01-01T00:00:00.000Z" }],
])("%s is refused", async (_, schedule) => {
  const { make } = await triggerDesk();
  expect((await make({ schedule })).made).toMatchObject({ code: "validation_failed" });
});
