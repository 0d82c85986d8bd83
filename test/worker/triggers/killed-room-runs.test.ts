/** @module-tag broad */
// The machine of a trigger that a room answers, or of the room, that dies before and after each of its transactions: the message is
// there once, one discussion has answered it, and the run has succeeded.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";

import { roomObjectName } from "../../../durable-objects/api/room-api.ts";
import { dieAt, type Death } from "./dying-trigger.ts";
import { roomTriggerDesk, type RoomTriggerDesk } from "./room-trigger-desk.ts";
import { seen, type OpenTrigger } from "./trigger-desk.ts";

const HOUR_MS = 3_600_000;
const HOURLY = { type: "cron", expression: "0 * * * *", timezone: "UTC" } as const;

afterEach(() => vi.useRealTimers());

async function passHour(trigger: OpenTrigger): Promise<unknown> {
  vi.setSystemTime(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS / 10);
  return trigger.settle();
}

/** The alarm goes off until nothing is left to do, whatever a death has put off. */
async function recover(trigger: OpenTrigger): Promise<void> {
  await runInDurableObject(trigger.stub(), (_, { storage: { sql } }) => {
    sql.exec("UPDATE timers SET due_at = 1 WHERE due_at < ?", Date.now() + 60_000);
    sql.exec("UPDATE runs SET due_at = 1 WHERE due_at IS NOT NULL");
  });
  await trigger.settle();
}

async function expectOne(desk: RoomTriggerDesk, trigger: OpenTrigger): Promise<void> {
  const runs = await trigger.runs();
  expect(runs.map((run) => seen(run).slice(1))).toEqual([["succeeded"]]);
  expect(await desk.said()).toEqual(["room: Shall we?", "ann: Yes.", "bob: No."]);
  const { missed_runs, failures_in_row } = await trigger.read();
  expect([missed_runs, failures_in_row]).toEqual([0, 0]);
}

async function prepared() {
  vi.useRealTimers();
  const desk = await roomTriggerDesk();
  return { desk, trigger: await desk.makeInRoom({ schedule: HOURLY }) };
}

function deathsOf(count: number): readonly Death[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((transaction) => [
    { transaction, side: "before" },
    { transaction, side: "after" },
  ]);
}

test("a run speaks in its room once, wherever its trigger's machine has died", async () => {
  const first = await prepared();
  const count = await dieAt(first.trigger.stub, () => passHour(first.trigger), null);
  await expectOne(first.desk, first.trigger);
  expect(count).toBeGreaterThan(4);
  for (const death of deathsOf(count)) {
    const { desk, trigger } = await prepared();
    await dieAt(trigger.stub, () => passHour(trigger), death);
    await recover(trigger);
    await expectOne(desk, trigger);
  }
});

test("a run speaks in its room once, wherever the room's machine has died", async () => {
  const roomOf =
    ({ tenant_id, room }: RoomTriggerDesk) =>
    () =>
      env.ROOM.getByName(roomObjectName(tenant_id, room.id));
  const first = await prepared();
  const count = await dieAt(roomOf(first.desk), () => passHour(first.trigger), null);
  await expectOne(first.desk, first.trigger);
  expect(count).toBeGreaterThan(4);
  for (const death of deathsOf(count)) {
    const { desk, trigger } = await prepared();
    await dieAt(roomOf(desk), () => passHour(trigger), death);
    await recover(trigger);
    await expectOne(desk, trigger);
  }
});
