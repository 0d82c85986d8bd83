// The one alarm: late, early, twice, failing at first, and not there at all where nothing is to come.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { runDueTimers } from "../../../durable-objects/lifecycle/run-due-timers.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { Timers, WATCHDOG } from "../../../durable-objects/tables/timers.ts";
import { WATCHDOG_INTERVAL_MS, TIMER_RETRY_MS } from "../../../protocol/replies/limits.ts";
import { failingDatabase } from "./failing-database.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { withHeldSession } from "./held-session.ts";
import { databaseRows, listInDatabase } from "./listed-in-database.ts";
import {
  alarmOf,
  confirmation,
  makeDue,
  parkedSession,
  post,
  rowsOf,
  withTools,
} from "../confirmations/parked.ts";
import { allEvents, createdSession, objectOf, readReply, reply, startReply } from "./session.ts";

/** Fails the commit of a decision. */
const AWAY =
  "CREATE TRIGGER away BEFORE INSERT ON decisions BEGIN SELECT RAISE(ABORT, 'away'); END";
const TIMERS = "SELECT kind FROM timers ORDER BY kind";

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

async function kindsOf(init: SessionInit): Promise<readonly unknown[]> {
  return (await rowsOf(init, TIMERS)).map(({ kind }) => kind);
}

/** The timers of a kind are due, and the alarm comes `times` times. */
async function alarmFor(init: SessionInit, kind: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await makeDue(init, kind);
    await runInDurableObject(objectOf(init), (_, { storage }) => storage.setAlarm(1));
    await runDurableObjectAlarm(objectOf(init));
  }
}

describe("the alarm", () => {
  test("is set for nothing while nothing is to come", async () => {
    const init = await createdSession();
    expect(await alarmOf(init)).toBeNull();
    await reply(init, "/say hello");

    await expect.poll(() => kindsOf(init)).toEqual([]);
    expect(await alarmOf(init)).toBeNull();
  });

  test("watches over a reply that runs, and not over one that waits", async () => {
    const gates = holdGates();
    const before = Date.now();
    const init = await createdSession();
    const { id } = await startReply(init, `/words 20\n${GATE}`);
    expect(await kindsOf(init)).toEqual(["watch"]);
    const dueAt = await alarmOf(init);
    expect(dueAt).toBeGreaterThanOrEqual(before + WATCHDOG_INTERVAL_MS);
    expect(dueAt).toBeLessThanOrEqual(Date.now() + WATCHDOG_INTERVAL_MS);
    gates.release();
    await readReply(init, id, 60_000);
    await expect.poll(() => alarmOf(init)).toBeNull();

    const waiting = await parkedSession();
    await expect.poll(() => kindsOf(waiting.init)).toEqual(["expiry"]);
    expect(await alarmOf(waiting.init)).toBe(Date.parse(waiting.call.expires_at ?? ""));
  });

  test("that comes twice, or early, leaves a running reply to its runner", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const { id } = await startReply(init, `/words 40\n${GATE}`);
    await alarmFor(init, "watch", 2);
    await runDurableObjectAlarm(objectOf(init));
    expect(await kindsOf(init)).toEqual(["watch"]);
    gates.release();
    const ended = await readReply(init, id, 60_000);

    expect(ended.status).toBe("completed");
    const types = (await allEvents(init)).map(({ type }) => type);
    expect(types.filter((type) => type === "REPLY_START" || type === "REPLY_END")).toEqual([
      "REPLY_START",
      "REPLY_END",
    ]);
    expect(await rowsOf(init, "SELECT epoch FROM replies")).toEqual([{ epoch: 1 }]);
    await expect.poll(() => alarmOf(init)).toBeNull();
  });

  test("that comes hours late and twice ends a call once, and a tool that was confirmed in time runs once", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      await post(init, confirmation(parked.id, call));
      await readReply(init, parked.id, 60_000);
      await alarmFor(init, "expiry", 2);

      expect(calls).toHaveLength(1);
      const late = await parkedSession();
      await alarmFor(late.init, "expiry", 2);
      const ended = await readReply(late.init, late.parked.id, 60_000);
      expect(ended.status).toBe("completed");
      const ends = (await allEvents(late.init)).filter(({ type }) => type === "TOOL_RESULT_END");
      expect(ends).toMatchObject([{ state: "denied" }]);
      expect(calls).toHaveLength(1);
    }));

  test("is on disk again, a while ahead, before anything is done for what is due", async () => {
    const { init } = await parkedSession();
    await expect.poll(() => kindsOf(init)).toEqual(["expiry"]);
    await makeDue(init, "expiry");
    const before = Date.now();
    const ahead = await runInDurableObject(objectOf(init), async (_, { storage }) => {
      const seen: Promise<number | null>[] = [];
      const look = () => void seen.push(storage.getAlarm());
      // As it is when an alarm is delivered.
      await storage.deleteAlarm();
      const handlers = {
        expiry: look,
        watch: look,
        listing: look,
        compress: look,
        observed: look,
        task: look,
        children: () => undefined,
        condense: look,
        remember: look,
        background: look,
        left: look,
        push: () => undefined,
        socket: () => undefined,
        voice: () => undefined,
      };
      await runDueTimers(new Timers(storage), handlers, () => false);
      return Promise.all(seen);
    });

    expect(ahead).toHaveLength(1);
    expect(ahead[0]).toBeGreaterThanOrEqual(before + TIMER_RETRY_MS);
  });

  test("comes again after its object died in it, and then does it once", async () => {
    const { init, parked } = await parkedSession();
    await expect.poll(() => kindsOf(init)).toEqual(["expiry"]);
    await makeDue(init, "expiry");
    await runInDurableObject(objectOf(init), async (_, { storage }) => {
      await new Timers(storage).armFor(Date.now() + TIMER_RETRY_MS);
    });
    await abortAllDurableObjects();
    expect(await alarmOf(init)).toBeGreaterThan(Date.now());
    await runDurableObjectAlarm(objectOf(init));

    expect(await readReply(init, parked.id, 60_000)).toMatchObject({ status: "completed" });
    const ends = (await allEvents(init)).filter(({ type }) => type === "TOOL_RESULT_END");
    expect(ends).toHaveLength(1);
  });

  test("that fails at first, and takes its object down, is done once when it comes again", async () => {
    const { init, parked } = await parkedSession();
    await expect.poll(() => kindsOf(init)).toEqual(["expiry"]);
    await rowsOf(init, AWAY);
    const before = await allEvents(init);
    await alarmFor(init, "expiry").catch(() => {});
    // Nothing of the commit that failed is there, and the timer still is.
    await expect.poll(() => kindsOf(init).catch(() => null)).toEqual(["expiry"]);
    expect(await allEvents(init)).toEqual(before);

    await rowsOf(init, "DROP TRIGGER away");
    await alarmFor(init, "expiry");
    expect(await readReply(init, parked.id, 60_000)).toMatchObject({ status: "completed" });
    const ends = (await allEvents(init)).filter(({ type }) => type === "TOOL_RESULT_END");
    expect(ends).toHaveLength(1);
  });

  test("does not wait for D1, and keeps the watch until D1 has everything", () => {
    const failing = failingDatabase();
    return withHeldSession(
      {},
      async ({ session, state }) => {
        await listInDatabase(session.init);
        const { timers } = session.tables;
        failing.mode = "held";
        const started = await session.queue.start({
          input: "/say hello",
          on_busy: "reject",
        });
        if (!started.ok) throw new Error(started.refusal.detail);
        await session.queue.read(started.value.id, 60_000);
        let isOver = false;
        const handlers = {
          watch: () => void session.queue.runWatchdog().then(() => (isOver = true)),
          expiry: () => {},
          listing: () => {},
          compress: () => {},
          observed: () => undefined,
          task: () => undefined,
          children: () => undefined,
          condense: () => undefined,
          remember: () => undefined,
          background: () => undefined,
          left: () => undefined,
          push: () => undefined,
          socket: () => undefined,
          voice: () => undefined,
        };
        for (let time = 0; time < 3; time += 1) {
          timers.set(WATCHDOG, 1);
          await runDueTimers(timers, handlers, () => false);
        }
        expect([isOver, timers.has(WATCHDOG), failing.atOnce]).toEqual([false, true, 1]);
        expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now());

        failing.mode = "up";
        failing.release();
        await expect.poll(() => timers.has(WATCHDOG)).toBe(false);
        expect((await databaseRows("usage", session.init)).length).toBe(1);
        expect(await state.storage.getAlarm()).toBeNull();
      },
      { DB: failing.database },
    );
  });
});

describe("a timer whose handler fails", () => {
  test("is put off and served the next time, and keeps none of the others", async () => {
    const init = await createdSession();
    await runInDurableObject(objectOf(init), async (_, { storage }) => {
      const timers = new Timers(storage);
      const served: string[] = [];
      let isBroken = true;
      const handlers = {
        watch: () => {
          timers.clear(WATCHDOG);
          served.push("watch");
        },
        expiry: () => {
          if (isBroken) throw new Error("the disk is full");
          for (const timer of timers.due(Date.now())) timers.clear(timer);
          served.push("expiry");
        },
        listing: () => {},
        compress: () => {},
        observed: () => {},
        task: () => {},
        children: () => undefined,
        condense: () => {},
        remember: () => {},
        background: () => {},
        left: () => {},
        push: () => {},
        socket: () => {},
        voice: () => {},
      };
      const before = Date.now();
      timers.set({ kind: "expiry", id: "call_1" }, 1);
      timers.set(WATCHDOG, 2);
      await runDueTimers(timers, handlers, () => false);
      expect(served).toEqual(["watch"]);
      expect(await storage.getAlarm()).toBeGreaterThanOrEqual(before + TIMER_RETRY_MS);

      isBroken = false;
      timers.set({ kind: "expiry", id: "call_1" }, 1);
      await runDueTimers(timers, handlers, () => false);
      await runDueTimers(timers, handlers, () => false);
      expect(served).toEqual(["watch", "expiry"]);
      expect(await storage.getAlarm()).toBeNull();
    });
  });
});
