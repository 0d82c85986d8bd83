// The watch stands wherever something is left to do, is never put off by what a client does, and a run counts as begun
// before it does anything.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import { postEvent } from "../../../durable-objects/acts/events.ts";
import { ReplyRunner } from "../../../durable-objects/replies/reply-runner.ts";
import { performAct } from "../../../durable-objects/acts/perform-act.ts";
import { WATCHDOG } from "../../../durable-objects/tables/timers.ts";
import { WATCHDOG_INTERVAL_MS } from "../../../protocol/replies/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import { failingDatabase } from "../sessions/failing-database.ts";
import { pauseMs, withHeldSession, wokenSession } from "../sessions/held-session.ts";
import { databaseRows, listInDatabase } from "../sessions/listed-in-database.ts";
import {
  confirmation,
  interruption,
  KEY,
  LOOK,
  REFUND,
  withTools,
} from "../confirmations/parked.ts";
import { valueOf } from "../sessions/session.ts";

const ASKING = { tools: [REFUND] };
/** One call asks while the other one, beside it, runs. */
const BESIDE = { tools: [{ ...REFUND, concurrency_safe: true }, LOOK] };
const SLOW = "/rate 100\n/words 20000";

function watchDueAt({ storage }: DurableObjectState): number | null {
  const [row] = storage.sql
    .exec<{ due_at: number }>("SELECT due_at FROM timers WHERE kind = 'watch'")
    .toArray();
  return row?.due_at ?? null;
}

/** A reply that waits for a person, all of which D1 has heard. */
async function parked(session: OpenSession, state: DurableObjectState) {
  const { id } = valueOf(
    await session.queue.start({ input: "/call refund {}\n/say done", on_busy: "reject" }),
  );
  const reply = valueOf(await session.queue.read(id, 60_000));
  await waitFor(() => expect(watchDueAt(state)).toBeNull());
  return reply;
}

beforeEach(() => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
});

describe("an interrupt of a reply that waits", () => {
  it("reaches D1 in the end, though D1 is down and nobody asks again", () => {
    const failing = failingDatabase();
    return withHeldSession(
      ASKING,
      async ({ session, state }) => {
        await listInDatabase(session.init);
        const { id } = await parked(session, state);
        failing.mode = "down";
        await session.runner.interrupt();
        await waitFor(() => expect(failing.calls).toBeGreaterThan(1));
        await session.outbox.flush();

        expect(watchDueAt(state) ?? Infinity).toBeLessThanOrEqual(
          Date.now() + WATCHDOG_INTERVAL_MS,
        );
        failing.mode = "up";
        await session.queue.runWatchdog();
        expect(await databaseRows("session_states", session.init)).toMatchObject([
          { status: "idle" },
        ]);
        expect(await databaseRows("usage", session.init)).toMatchObject([{ reply_id: id }]);
        expect(await databaseRows("pending_calls", session.init)).toEqual([]);
        expect(watchDueAt(state)).toBeNull();
      },
      { DB: failing.database },
    );
  });

  it("leaves the watch to the next object, which then goes on with the queue", () =>
    withHeldSession(ASKING, async ({ session, state, hold }) => {
      const { id } = await parked(session, state);
      const second = valueOf(await session.queue.start({ input: "/say 2", on_busy: "queue" }));
      await postEvent(session, interruption(second.id) as never, KEY);
      hold(true);
      void session.runner.interrupt();
      void session.queue.runWatchdog();
      await waitFor(() => expect(session.outbox.isEmpty).toBe(true));
      await pauseMs(20);
      // Dead: the end of the first is written and told, and the second, which is not going to run, has not begun.
      closeSession(session);
      hold(false);

      expect(watchDueAt(state)).not.toBeNull();
      const next = await wokenSession(state, session.init);
      expect(valueOf(await next.queue.read(second.id, 60_000)).status).toBe("interrupted");
      expect(valueOf(await next.queue.read(id, 0)).status).toBe("interrupted");
      closeSession(next);
    }));
});

describe("the time at which the watch comes", () => {
  it("is not put off by a reply that is queued, however many are", () =>
    withHeldSession({}, async ({ session, state }) => {
      await session.queue.start({ input: SLOW, on_busy: "reject" });
      const dueAt = Date.now() + 5_000;
      session.tables.timers.set(WATCHDOG, dueAt);
      await session.queue.start({ input: "/say 2", on_busy: "queue" });

      expect(watchDueAt(state)).toBe(dueAt);
    }));

  it("is not put off by an answer to a reply that runs, nor does its time begin anew", () =>
    withTools(
      () =>
        withHeldSession(BESIDE, async ({ session, state }) => {
          const input = "/call refund {}\n/call look {}\n/say done";
          const { id } = valueOf(await session.queue.start({ input, on_busy: "reject" }));
          await waitFor(() =>
            expect(session.active?.state.message.content.map(({ type }) => type)).toEqual([
              "tool_call",
              "tool_call",
              "tool_result",
            ]),
          );
          const [call] = valueOf(await session.queue.read(id, 0)).message?.content ?? [];
          if (call?.type !== "tool_call") throw new Error("no call was made");
          expect([session.isRunning, call.state]).toEqual([true, "asking"]);
          const dueAt = Date.now() + 5_000;
          session.tables.timers.set(WATCHDOG, dueAt);
          const since = Date.now() - 60_000;
          state.storage.sql.exec("UPDATE replies SET running_since = ?", since);

          const answer = confirmation(id, { tool_call: call });
          expect(valueOf(await postEvent(session, answer as never, KEY)).applied).toBe(true);
          expect(watchDueAt(state)).toBe(dueAt);
          expect(session.tables.replies.journal(id)).toMatchObject({
            run_ms: 0,
            running_since: since,
          });
        }),
      () => new Promise(() => {}),
    ));
});

describe("a run after a restart", () => {
  it("is on disk as begun before it does anything, so that what kills the machine at once is counted", () =>
    withHeldSession({}, async ({ session, state, hold, release }) => {
      await session.queue.start({ input: SLOW, on_busy: "reject" });
      await waitFor(() => expect(session.active?.state.message.content).toHaveLength(1));
      const reply = session.active!;
      hold(true);
      new ReplyRunner(session, {
        env: { ...env, ENVIRONMENT: "local" },
        inBackground: (work) => state.waitUntil(work),
      }).recover(reply);
      await release();

      expect(session.tables.replies.journal(reply.id)).toMatchObject({
        attempts: 1,
        not_before: null,
      });
      expect(reply.state.is_model_call_open).toBe(false);
      await release();
      await waitFor(() => expect(reply.state.is_model_call_open).toBe(true));
      hold(false);
      await release();
    }));
});

describe("an interrupt that comes late", () => {
  it("finds no session when that is removed meanwhile", () =>
    withHeldSession({}, async ({ session, state }) => {
      const { id } = valueOf(await session.queue.start({ input: "/say hi", on_busy: "reject" }));
      await session.queue.read(id, 60_000);
      const keyed = { key: "postEvent 1", fingerprint: "the same" };
      const posted = performAct(session, "postEvent", interruption(id) as never, {
        actor: KEY,
        idempotency: keyed,
      });
      closeSession(session);
      await state.storage.deleteAll();

      expect(await posted).toMatchObject({ ok: false, refusal: { code: "not_found" } });
    }));
});
