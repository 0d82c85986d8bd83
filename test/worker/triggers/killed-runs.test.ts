// A trigger's machine that dies before and after each of its transactions, from the alarm to the end of the run: there is one run,
// one session and one reply, whichever it was.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { BROAD, walk } from "../../support/breadth.ts";
import { ask } from "../support/api.ts";
import { dieAt, type Death } from "./dying-trigger.ts";
import { seen, triggerDesk, type Desk, type OpenTrigger } from "./trigger-desk.ts";

const HOUR_MS = 3_600_000;

afterEach(() => vi.useRealTimers());

/** The work of a trigger whose hour has come, until its run is over. */
async function passHour(trigger: OpenTrigger): Promise<unknown> {
  vi.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 10);
  return trigger.settle();
}

/** Its alarm goes off until nothing is left to do, whatever a death has put off. */
async function recover(trigger: OpenTrigger): Promise<void> {
  await runInDurableObject(trigger.stub(), (_, { storage: { sql } }) => {
    sql.exec("UPDATE timers SET due_at = 1 WHERE due_at < ?", Date.now() + 60_000);
  });
  await trigger.hurry();
  await trigger.settle();
}

async function expectOne(desk: Desk, trigger: OpenTrigger): Promise<void> {
  const runs = await trigger.runs();
  expect(runs.map((run) => seen(run).slice(1))).toEqual([["succeeded"]]);
  const { results } = await env.DB.prepare("SELECT id FROM sessions WHERE tenant_id = ?")
    .bind(desk.tenant_id)
    .all<{ id: string }>();
  expect(results).toEqual([{ id: runs[0]?.session_id }]);
  const path = `/v1/sessions/${runs[0]?.session_id}/replies`;
  const { json } = await ask<Page<Reply>>("GET", path, desk.call);
  expect(json.data.map(({ id, status }) => [id, status])).toEqual([
    [runs[0]?.reply_id, "completed"],
  ]);
  expect(await trigger.read()).toMatchObject({
    missed_runs: 0,
    failures_in_row: 0,
    last_run_at: runs[0]?.created_at,
  });
}

async function prepared() {
  const desk = await triggerDesk();
  const schedule = { type: "cron", expression: "0 * * * *", timezone: "UTC" };
  return { desk, trigger: await desk.make({ schedule }) };
}

/** Odd, so that a walk has both sides: `npm test` dies at so few. */
const FEW = 7;

function deathsOf(count: number): readonly Death[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((transaction) => [
    { transaction, side: "before" },
    { transaction, side: "after" },
  ]);
}

async function dieInSchedule(choose: (deaths: readonly Death[]) => readonly Death[]) {
  const first = await prepared();
  const count = await dieAt(first.trigger.stub, () => passHour(first.trigger), null);
  await expectOne(first.desk, first.trigger);
  expect(count).toBeGreaterThan(4);
  for (const death of choose(deathsOf(count))) {
    vi.useRealTimers();
    const { desk, trigger } = await prepared();
    await dieAt(trigger.stub, () => passHour(trigger), death);
    await recover(trigger);
    await expectOne(desk, trigger);
  }
}

async function dieByHand(deaths: readonly Death[]) {
  const key = { "Idempotency-Key": "once" };
  for (const death of deaths) {
    const desk = await triggerDesk();
    const trigger = await desk.make();
    const act = async () => {
      await trigger.run({}, key);
      await trigger.settle();
    };
    await dieAt(trigger.stub, act, death);
    await trigger.run({}, key);
    await recover(trigger);
    const runs = await trigger.runs();
    expect(runs.map(seen)).toEqual([["manual", "succeeded"]]);
  }
}

/** Transactions of a run by hand. */
const BY_HAND = 6;

test("a scheduled run is there once, wherever its trigger's machine has died (at some places)", () =>
  dieInSchedule((deaths) => walk(deaths, FEW)));

test("a run by hand that is asked for again under its key is there once, wherever the machine has died (at some places)", () =>
  dieByHand(walk(deathsOf(BY_HAND), FEW)));

test("a scheduled run is there once, wherever its trigger's machine has died", BROAD, () =>
  dieInSchedule((deaths) => deaths),
);

test(
  "a run by hand that is asked for again under its key is there once, wherever the machine has died",
  BROAD,
  () => dieByHand(deathsOf(BY_HAND)),
);
