// Work that a machine has left beside an open reply: queued replies, entries for D1, calls that expire. Each is counted
// before it is done, and is done with less, or not at all, when it has cost too many machines.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import { runDueTimers } from "../../../durable-objects/lifecycle/run-due-timers.ts";
import { Timers } from "../../../durable-objects/tables/timers.ts";
import { TIMER_RETRY_MS, MAX_CRASHES_WHILE_WAKING } from "../../../protocol/replies/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import { abortObject, endWatch, installFailpoints, watchWrites } from "../crash/failpoint.ts";
import { withHeldSession, wokenSession } from "../sessions/held-session.ts";
import { databaseRows, listInDatabase } from "../sessions/listed-in-database.ts";
import { alarmOf, makeDue, rowsOf } from "../confirmations/parked.ts";
import {
  createdSession,
  objectOf,
  readReply,
  reply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { poison, silenceLogs, spreadNothing, waitingReply, wake } from "./poisoned.ts";

beforeAll(() => installFailpoints(env.SESSION.getByName("failpoints of what is left")));
beforeEach(() => {
  silenceLogs();
  spreadNothing();
});

describe("a queued reply that an earlier machine has left", () => {
  const LEFT = [
    ["runs when it has cost fewer machines than it may", MAX_CRASHES_WHILE_WAKING - 1, "completed"],
    ["ends with an error when it has cost as many", MAX_CRASHES_WHILE_WAKING, "error"],
  ] as const;

  it.each(LEFT)("%s", async (_, begun, status) => {
    const poisoned = await waitingReply();
    const { init } = poisoned;
    const queued = valueOf(
      await stubOf(init).act("startReply", { input: "/say two", on_busy: "queue" }),
    );
    await poison(poisoned, `UPDATE queued_replies SET begun = ${begun}`);
    await stubOf(init).act("interrupt", {});

    expect(await readReply(init, queued.id, 60_000)).toMatchObject({ status });
    expect(await rowsOf(init, "SELECT id FROM queued_replies")).toEqual([]);
  });

  it("is counted on disk before it begins", async () => {
    const poisoned = await waitingReply();
    const { init, replyId } = poisoned;
    await stubOf(init).act("startReply", { input: "/say two", on_busy: "queue" });
    // As a machine leaves it that died between the two.
    await poison(
      poisoned,
      `UPDATE replies SET status = 'interrupted', end_seq = start_cursor + 1 WHERE id = '${replyId}'`,
    );
    const watch = watchWrites(init.session_id, {
      write: "message_added + REPLY_START",
      side: "before",
    });
    void stubOf(init)
      .act("read")
      .catch(() => undefined);
    await watch.reached();
    await abortObject(objectOf(init));
    endWatch(init.session_id);

    expect(await rowsOf(init, "SELECT begun FROM queued_replies")).toEqual([{ begun: 1 }]);
  });
});

describe("an entry for D1 that an earlier machine has left", () => {
  const LEFT = [
    [
      "is told whole when it has cost fewer machines than it may",
      MAX_CRASHES_WHILE_WAKING - 1,
      1,
      1,
    ],
    ["is told without its message when it has cost as many", MAX_CRASHES_WHILE_WAKING, 1, 0],
    ["is dropped when that has cost as many again", 2 * MAX_CRASHES_WHILE_WAKING, 0, 0],
  ] as const;

  it.each(LEFT)("%s", (_, begun, states, usages) =>
    withHeldSession({}, async ({ session, state }) => {
      const { init } = session;
      await listInDatabase(init);
      const started = valueOf(await session.queue.start({ input: "/say one", on_busy: "reject" }));
      await session.queue.read(started.id, 60_000);
      closeSession(session);
      await env.DB.batch(
        ["usage", "session_states"].map((table) =>
          env.DB.prepare(`DELETE FROM ${table} WHERE session_id = ?`).bind(init.session_id),
        ),
      );
      state.storage.sql.exec("DELETE FROM outbox");
      state.storage.sql.exec(
        `INSERT INTO outbox (entry, reply_id, status, created_at, begun)
         SELECT end_seq, id, status, created_at, ? FROM replies`,
        begun,
      );
      const next = await wokenSession(state, init);
      await next.outbox.flush();
      const left = state.storage.sql.exec("SELECT entry FROM outbox").toArray();

      expect(left).toEqual([]);
      expect(await databaseRows("session_states", init)).toHaveLength(states);
      expect(await databaseRows("usage", init)).toHaveLength(usages);
      closeSession(next);
    }),
  );

  it("that cannot be read keeps none of those behind it", async () => {
    const init = await createdSession();
    await listInDatabase(init);
    const first = await reply(init, "/say one");
    await waitFor(async () => expect(await rowsOf(init, "SELECT entry FROM outbox")).toEqual([]));
    await poison(
      { init, replyId: first.id },
      "INSERT INTO outbox (entry, reply_id, status, created_at) SELECT end_seq, id, status, created_at FROM replies",
      "UPDATE messages SET body = x'7b'",
    );
    const second = await reply(init, "/say two");

    await waitFor(async () => expect(await rowsOf(init, "SELECT entry FROM outbox")).toEqual([]));
    expect((await databaseRows("usage", init)).map((row) => row["reply_id"])).toContain(second.id);
  });
});

describe("a call that cannot be expired", () => {
  it("ends its reply with an error when it has been tried as often as it may", async () => {
    const poisoned = await waitingReply();
    const { init, replyId } = poisoned;
    await poison(
      poisoned,
      `UPDATE timers SET begun = ${MAX_CRASHES_WHILE_WAKING} WHERE kind = 'expiry'`,
    );
    await makeDue(init, "expiry");
    await wake(poisoned);

    expect(await readReply(init, replyId, 60_000)).toMatchObject({ status: "error", pending: [] });
    expect(await rowsOf(init, "SELECT kind FROM timers WHERE kind = 'expiry'")).toEqual([]);
  });

  it("is counted on disk before it is tried", async () => {
    const poisoned = await waitingReply();
    const { init } = poisoned;
    await makeDue(init, "expiry");
    const write = "TOOL_RESULT_START + TOOL_RESULT_END";
    const watch = watchWrites(init.session_id, { write, side: "before" });
    void wake(poisoned).catch(() => undefined);
    await watch.reached();
    await abortObject(objectOf(init));
    endWatch(init.session_id);

    expect(await rowsOf(init, "SELECT begun FROM timers WHERE kind = 'expiry'")).toEqual([
      { begun: 1 },
    ]);
  });

  it("is tried again after twice as long each time", async () => {
    const { init } = await waitingReply();
    await rowsOf(init, "UPDATE timers SET due_at = 1, begun = 2 WHERE kind = 'expiry'");
    const nowMs = Date.now();
    const alarm = await runInDurableObject(objectOf(init), async (_, { storage }) => {
      let seen: Promise<number | null> = Promise.resolve(null);
      const look = () => void (seen = storage.getAlarm());
      const handlers = {
        expiry: look,
        watch: () => {},
        listing: () => {},
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
        compress: () => {},
      };
      await runDueTimers(new Timers(storage), handlers, () => false);
      return seen;
    });

    expect(alarm).toBeGreaterThanOrEqual(nowMs + 4 * TIMER_RETRY_MS);
  });
});

describe("an alarm that was lost", () => {
  it("is set again by the next who asks", async () => {
    const poisoned = await waitingReply();
    const { init } = poisoned;
    await runInDurableObject(objectOf(init), (_, { storage }) => storage.deleteAlarm());
    await poison(poisoned);
    await stubOf(init).act("read");

    expect([{ due_at: await alarmOf(init) }]).toEqual(
      await rowsOf(init, "SELECT min(due_at) AS due_at FROM timers"),
    );
  });
});
