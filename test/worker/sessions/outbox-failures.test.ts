// D1 down, slow or losing its answers: a reply waits for none of it, and everything arrives later, once.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import {
  OUTBOX_RETRY_MAX_MS,
  OUTBOX_RETRY_MS,
  MAX_OUTBOX_BATCH,
  OUTBOX_RETRY_JITTER,
} from "../../../protocol/operator/limits.ts";
import { HeldQueue } from "../webhooks/endpoint.ts";
import { failingDatabase, type FailingDatabase } from "./failing-database.ts";
import { withHeldSession } from "./held-session.ts";
import { databaseRows, listInDatabase } from "./listed-in-database.ts";
import { BROAD } from "../../support/breadth.ts";

interface Outage {
  readonly session: OpenSession;
  readonly state: DurableObjectState;
  readonly failing: FailingDatabase;
  readonly queue: HeldQueue;
}

beforeEach(() => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
});

/** A session that D1 lists, with an endpoint that wants everything, behind a D1 of the test's own. */
function withOutage(run: (outage: Outage) => Promise<void>): Promise<void> {
  const failing = failingDatabase();
  const queue = new HeldQueue();
  const bindings = { DB: failing.database, WEBHOOK_QUEUE: queue.binding };
  return withHeldSession(
    {},
    async ({ session, state }) => {
      await listInDatabase(session.init);
      await env.DB.prepare(
        `INSERT INTO webhook_endpoints (id, tenant_id, url, events, sealed, created_at, updated_at)
         VALUES (?, ?, 'https://shop.example', '["*"]', '', '', '')`,
      )
        .bind(`whk_${session.init.session_id}`, session.init.tenant_id)
        .run();
      await run({ session, state, failing, queue });
    },
    bindings,
  );
}

async function replyTo(session: OpenSession, input: string): Promise<string> {
  const started = await session.queue.start({ input, on_busy: "reject" });
  if (!started.ok) throw new Error(started.refusal.detail);
  const ended = await session.queue.read(started.value.id, 60_000);
  if (!ended.ok) throw new Error(ended.refusal.detail);
  return ended.value.status;
}

function waiting({ storage }: DurableObjectState): number {
  return storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM outbox").one().n;
}

async function deliveredTypes({ init }: OpenSession): Promise<readonly unknown[]> {
  const { results } = await env.DB.prepare(
    "SELECT type FROM webhook_deliveries WHERE tenant_id = ? ORDER BY id",
  )
    .bind(init.tenant_id)
    .all();
  return results.map(({ type }) => type);
}

describe("a session without D1", () => {
  test("ends every reply, and afterwards tells all of them in a few calls, each once", BROAD, () =>
    withOutage(async ({ session, state, failing, queue }) => {
      const count = 2 * MAX_OUTBOX_BATCH + 5;
      failing.mode = "down";
      const ends: string[] = [];
      for (let index = 0; index < count; index += 1) {
        ends.push(await replyTo(session, `/say ${index}`));
      }
      expect(ends).toEqual(Array.from({ length: count }, () => "completed"));
      await expect.poll(() => waiting(state)).toBe(count);

      await session.outbox.flush();
      Object.assign(failing, { mode: "up", calls: 0, atOnce: 0 });
      await session.queue.runWatchdog();

      expect([waiting(state), failing.atOnce]).toEqual([0, 1]);
      // One batch of entries, and for each of these replies one of its message to the endpoint.
      expect(failing.calls).toBe(3 + count);
      expect((await databaseRows("usage", session.init)).length).toBe(count);
      expect(await deliveredTypes(session)).toEqual(ends.map(() => "reply.completed"));
      expect(new Set(queue.take().map(({ delivery_id }) => delivery_id)).size).toBe(count);
      expect(await state.storage.getAlarm()).toBeNull();
    }),
  );

  test("tries again sooner or later as the oldest news is young or old, within bounds", () =>
    withOutage(async ({ session, state, failing }) => {
      failing.mode = "down";
      await replyTo(session, "/say hello");
      await session.outbox.flush();
      const delays = [];
      for (const ageMs of [0, 60_000, 86_400_000]) {
        const since = new Date(Date.now() - ageMs).toISOString();
        state.storage.sql.exec("UPDATE outbox SET created_at = ?", since);
        delays.push(session.outbox.retryDelayMs);
      }

      const longest = [OUTBOX_RETRY_MS, 61_000, OUTBOX_RETRY_MAX_MS];
      for (const [index, delayMs] of delays.entries()) {
        expect(delayMs).toBeLessThanOrEqual(longest[index]!);
        expect(delayMs).toBeGreaterThanOrEqual(longest[index]! * (1 - OUTBOX_RETRY_JITTER) - 1_000);
      }
    }));
});

describe("news that D1 refuses for what they are", () => {
  test("stay, and keep none of those behind them", () =>
    withOutage(async ({ session, state, failing }) => {
      failing.mode = "down";
      for (const word of ["one", "two", "three"]) await replyTo(session, `/say ${word}`);
      await session.outbox.flush();
      const { sql } = state.storage;
      const ids = sql
        .exec<{ id: string }>("SELECT id FROM replies ORDER BY id")
        .toArray()
        .map(({ id }) => id);
      sql.exec(
        `UPDATE messages SET body = CAST(json_set(CAST(body AS TEXT), '$.usage.input_tokens', NULL)
         AS BLOB) WHERE id = ?`,
        ids[1],
      );
      failing.mode = "up";
      await session.queue.runWatchdog();

      const told = (await databaseRows("usage", session.init)).map((row) => row["reply_id"]);
      expect(told.toSorted()).toEqual([ids[0], ids[2]]);
      expect(waiting(state)).toBe(1);
      expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now());
      expect(failing.atOnce).toBe(1);
    }));
});

describe("a session whose D1 does not answer yet", () => {
  test("goes on with its replies, and asks D1 one thing at a time", () =>
    withOutage(async ({ session, state, failing }) => {
      failing.mode = "held";
      const ends = [];
      for (const word of ["one", "two", "three"]) {
        ends.push(await replyTo(session, `/say ${word}`));
      }
      void session.queue.runWatchdog();
      expect([ends, failing.calls, failing.atOnce]).toEqual([
        ["completed", "completed", "completed"],
        1,
        1,
      ]);

      failing.mode = "up";
      failing.release();
      await expect.poll(() => waiting(state)).toBe(0);
      expect(failing.atOnce).toBe(1);
      expect((await databaseRows("usage", session.init)).length).toBe(3);
    }));

  test("is erased at once, and what D1 answers afterwards writes nothing", () =>
    withOutage(async ({ session, state, failing }) => {
      failing.mode = "held";
      await replyTo(session, "/say hello");
      await expect.poll(() => failing.calls).toBe(1);
      closeSession(session);
      await state.storage.deleteAll();
      failing.mode = "up";
      failing.release();
      await session.outbox.flush();

      const tables = state.storage.sql.exec("SELECT name FROM sqlite_master").toArray();
      expect([tables, await state.storage.getAlarm()]).toEqual([[], null]);
    }));
});

describe("what D1 took without an answer", () => {
  test("is there once after it was delivered again, and is told once", () =>
    withOutage(async ({ session, state, failing, queue }) => {
      failing.mode = "lost";
      expect(await replyTo(session, "/say hello")).toBe("completed");
      await session.outbox.flush();
      const once = await databaseRows("usage", session.init);
      expect([once.length, waiting(state)]).toEqual([1, 1]);

      failing.mode = "up";
      await session.queue.runWatchdog();

      expect(await databaseRows("usage", session.init)).toEqual(once);
      expect(await deliveredTypes(session)).toEqual(["reply.completed"]);
      expect(queue.take().length).toBe(1);
      expect(waiting(state)).toBe(0);
    }));
});

describe("a queue that takes nothing", () => {
  test("keeps the news, and D1 has them once when they go out later", () =>
    withOutage(async ({ session, state, queue }) => {
      queue.isDown = true;
      expect(await replyTo(session, "/say hello")).toBe("completed");
      await session.outbox.flush();
      expect([waiting(state), await deliveredTypes(session)]).toEqual([1, ["reply.completed"]]);

      queue.isDown = false;
      await session.queue.runWatchdog();
      expect([waiting(state), await deliveredTypes(session), queue.take().length]).toEqual([
        0,
        ["reply.completed"],
        1,
      ]);
    }));
});
