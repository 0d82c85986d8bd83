// Queued replies that never run, and queued replies whose object dies.
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { waitFor } from "../../support/wait-for.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { pauseMs, withHeldSession, wokenSession } from "../sessions/held-session.ts";
import { KEY, alarmOf, interruption, parkedSession, post } from "../confirmations/parked.ts";
import { queueReply, repliesIn, repliesOf, userTexts } from "./queued.ts";
import {
  allEvents,
  createdSession,
  listEvents,
  objectOf,
  openStream,
  readEvents,
  readReply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

const SLOW = "/rate 50\n/words 20000";

/** The trace in the log of a reply that never ran. */
function traceOf(events: readonly LoggedEvent[], replyId: string): string[] {
  return events.flatMap((event) =>
    "reply_id" in event && event.reply_id === replyId ? [event.type] : [],
  );
}

describe("an interrupt with queued: drop", () => {
  it("ends the reply that runs and all that wait, and what was said stays", async () => {
    const init = await createdSession();
    const first = await startReply(init, SLOW);
    const second = await queueReply(init, "/say 2");
    const third = await queueReply(init, "/say 3");
    const stream = openStream(init, `after=0&reply_id=${third.id}`).then((r) => readEvents(r));
    const waiting = stubOf(init).act("readReply", { reply_id: third.id, wait_ms: 60_000 });
    const { interrupted, reply } = valueOf(await stubOf(init).act("interrupt", { queued: "drop" }));
    const events = await allEvents(init);

    expect([interrupted, reply?.id, reply?.status]).toEqual([true, first.id, "interrupted"]);
    expect(repliesIn(events)).toEqual([first, second, third].map(({ id }) => [id, "interrupted"]));
    for (const { id } of [second, third]) {
      expect(traceOf(events, id)).toEqual(["REPLY_START", "REPLY_END"]);
    }
    expect(await userTexts(init)).toEqual([SLOW, "/say 2", "/say 3"]);
    expect((await stream).map(({ type }) => type)).toEqual(["REPLY_START", "REPLY_END"]);
    expect(valueOf(await waiting).status).toBe("interrupted");
    expect(valueOf(await stubOf(init).act("read"))).toMatchObject({
      status: "idle",
      reply_id: null,
      queued_reply_ids: [],
    });
    await expect.poll(() => alarmOf(init)).toBeNull();
  });

  it("leaves a session whose next reply reads the conversation and completes", async () => {
    const init = await createdSession();
    await startReply(init, SLOW);
    await queueReply(init, "/say 2");
    await stubOf(init).act("interrupt", { queued: "drop" });
    const next = await startReply(init, "/say next");

    expect((await readReply(init, next.id, 60_000)).status).toBe("completed");
  });

  it("on an idle session does nothing", async () => {
    const init = await createdSession();

    expect(valueOf(await stubOf(init).act("interrupt", { queued: "drop" }))).toEqual({
      interrupted: false,
      reply: null,
    });
    expect(valueOf(await listEvents(init, { after: 0, limit: 10 })).data).toEqual([]);
  });
});

describe("a USER_INTERRUPT that names a queued reply", () => {
  it("ends that one alone, in its place in the conversation", async () => {
    const init = await createdSession();
    const first = await startReply(init, SLOW);
    const second = await queueReply(init, "/say 2");
    const third = await queueReply(init, "/say 3");
    const receipt = valueOf(await post(init, interruption(second.id)));

    expect(receipt).toMatchObject({
      applied: true,
      reply: { id: second.id, status: "interrupted", message: null },
    });
    expect(valueOf(await stubOf(init).act("read"))).toMatchObject({
      reply_id: first.id,
      queued_reply_ids: [third.id],
    });
    await stubOf(init).act("interrupt", {});
    await readReply(init, third.id, 60_000);
    const events = await allEvents(init);
    expect(repliesIn(events)).toEqual([
      [first.id, "interrupted"],
      [second.id, "interrupted"],
      [third.id, "completed"],
    ]);
    expect(traceOf(events, second.id)).toEqual(["REPLY_START", "USER_INTERRUPT", "REPLY_END"]);
    expect(events.find(({ type }) => type === "USER_INTERRUPT")).toMatchObject({
      reply_id: second.id,
      metadata: { decided_by: { kind: KEY.kind, id: KEY.id } },
    });
  });

  it("lets the one who waits for its answer go, though another reply holds the queue", async () => {
    const { init } = await parkedSession();
    const second = await queueReply(init, "/say 2");
    const waiting = stubOf(init).act("readReply", { reply_id: second.id, wait_ms: 60_000 });
    await post(init, interruption(second.id));

    expect(valueOf(await waiting)).toMatchObject({ status: "interrupted", message: null });
    expect(valueOf(await post(init, interruption(second.id)))).toMatchObject({ applied: false });
  });
});

describe("a queued reply whose object dies", () => {
  const deaths: [string, (init: SessionInit) => Promise<unknown>][] = [
    ["is reset", () => abortAllDurableObjects()],
    ["is evicted while it waits for a person", (init) => evictDurableObject(objectOf(init))],
  ];

  it.each(deaths)("runs after all when it %s", async (_, die) => {
    const { init, parked } = await parkedSession();
    const large = `/say ${"long ".repeat(300_000)}`;
    const second = await queueReply(init, large);
    await die(init);

    expect(await readReply(init, second.id)).toEqual(second);
    await stubOf(init).act("interrupt", {});
    expect((await readReply(init, second.id, 60_000)).status).toBe("completed");
    expect(await repliesOf(init)).toEqual([
      [parked.id, "interrupted"],
      [second.id, "completed"],
    ]);
    expect((await userTexts(init)).at(-1)).toBe(large);
  });

  it("runs when the running one before it was cut off, in order, each once", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const first = await startReply(init, `${GATE}\n/say 1`);
    const second = await queueReply(init, "/say 2");
    const third = await queueReply(init, "/say 3");
    await abortAllDurableObjects();
    gates.release();
    await readReply(init, third.id, 60_000);
    await abortAllDurableObjects();

    const ended = await repliesOf(init);
    expect(ended.map(([id]) => id)).toEqual([first.id, second.id, third.id]);
    expect(ended.slice(1).map(([, reason]) => reason)).toEqual(["completed", "completed"]);
  });

  it("is woken by the alarm when no request comes", async () => {
    const { init, parked } = await parkedSession();
    const second = await queueReply(init, "/say 2");
    // As after a death between the end of one reply and the start of the next: nothing is open.
    await stubOf(init).act("interrupt", {});
    await readReply(init, second.id, 60_000);
    const gates = holdGates();
    const third = await startReply(init, `${GATE}\n/say 3`);
    const fourth = await queueReply(init, "/say 4");
    await abortAllDurableObjects();
    gates.release();
    await runDurableObjectAlarm(objectOf(init));
    const runs = () =>
      runInDurableObject(objectOf(init), (_, { storage }) =>
        storage.sql.exec("SELECT id FROM replies ORDER BY id").toArray(),
      );

    await expect
      .poll(runs)
      .toEqual([parked.id, second.id, third.id, fourth.id].map((id) => ({ id })));
  });

  it("between two replies is watched, and begins in the next object", () =>
    withHeldSession({}, async ({ session, state, hold }) => {
      const first = valueOf(await session.queue.start({ input: SLOW, on_busy: "reject" }));
      const second = valueOf(await session.queue.start({ input: "/say 2", on_busy: "queue" }));
      hold(true);
      void session.runner.interrupt();
      void session.queue.runWatchdog();
      await waitFor(() => expect(session.outbox.isEmpty).toBe(true));
      await pauseMs(20);
      // Dead: the end of the first is written and told, and not known to be on disk; the second has not begun.
      closeSession(session);
      hold(false);
      expect(session.tables.replies.find(second.id)).toBeNull();
      expect(await state.storage.getAlarm()).not.toBeNull();

      const next = await wokenSession(state, session.init);
      expect(valueOf(await next.queue.read(second.id, 60_000)).status).toBe("completed");
      expect(repliesIn([...next.log.events(0)].map(({ item }) => item))).toEqual([
        [first.id, "interrupted"],
        [second.id, "completed"],
      ]);
      closeSession(next);
    }));

  it("is found though a reply with a later id began and ended before it", async () => {
    const init = await createdSession({
      tools: [{ type: "http", name: "refund", url: "https://tools.example/refund" }],
    });
    await startReply(init, SLOW);
    const second = await queueReply(init, "/call refund {}\n/say done");
    const urgent = valueOf(
      await stubOf(init).act("startReply", { input: "/say urgent", on_busy: "interrupt" }),
    );
    await readReply(init, urgent.id, 60_000);
    expect((await readReply(init, second.id, 60_000)).status).toBe("awaiting_permission");
    await abortAllDurableObjects();

    expect(valueOf(await stubOf(init).act("read"))).toMatchObject({
      status: "awaiting_permission",
      reply_id: second.id,
    });
    const { reply } = valueOf(await stubOf(init).act("interrupt", {}));
    expect([reply?.id, reply?.status]).toEqual([second.id, "interrupted"]);
  });
});
