// Rows that no version of the platform has written, or a newer one: the session is read as far as it can be, its reply
// ends with an error, and it can be erased.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";

import { sampled } from "../../support/breadth.ts";
import { sessionInit } from "../sessions/session-init.ts";
import { rowsOf } from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  listEvents,
  listMessages,
  objectOf,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { lostReply, poison, silenceLogs, spreadNothing, waitingReply } from "./poisoned.ts";

beforeEach(() => {
  silenceLogs();
  spreadNothing();
});

const BROKEN = `CAST('id: ' || seq || char(10) || 'event: HINT_BLOCK' || char(10) || 'data: {"type":' || char(10, 10) AS BLOB)`;
/** Its bytes read as a seq that is long past, and as one that is not to come. */
const ZEROS = "zeroblob(300)";
const NOISE = "CAST(replace(hex(zeroblob(300)), '0', 'z') AS BLOB)";
const START = "seq = (SELECT min(seq) FROM events)";
const LAST = "seq = (SELECT max(seq) FROM events)";

/** Damage of each row in a session whose reply runs or waits. */
const DAMAGES: readonly (readonly [string, string])[] = [
  ["an event that is no JSON", `UPDATE events SET frames = ${BROKEN} WHERE ${LAST}`],
  ["a row of noise", `UPDATE events SET frames = ${NOISE} WHERE ${LAST}`],
  ["a row of zeros", `UPDATE events SET frames = ${ZEROS} WHERE ${LAST}`],
  ["a packed row without its deltas", `UPDATE events SET frames = x'01' WHERE ${LAST}`],
  ["zeros for its REPLY_START", `UPDATE events SET frames = ${ZEROS} WHERE ${START}`],
  ["no REPLY_START", `DELETE FROM events WHERE ${START}`],
  ["a start behind its end", "UPDATE replies SET start_cursor = 1000000"],
  ["settings that are no JSON", "UPDATE session SET reply_init = '{'"],
  ["a status of a newer version", "UPDATE replies SET status = 'awaiting_funds'"],
];

describe.each([
  ["runs", lostReply],
  ["waits for a person", waitingReply],
])("a reply that %s", (_, open) => {
  for (const [rows, breadth] of sampled(DAMAGES, 3))
    it.each(rows)(
      "and has %s ends with an error, and the session goes on",
      breadth,
      async (__, damage) => {
        const poisoned = await open();
        const { init, replyId } = poisoned;
        await poison(poisoned, damage);
        const ended = await readReply(init, replyId, 60_000);
        const next = await reply(init, "/say hello");
        const messages = valueOf(await listMessages(init, { limit: 10 }));
        const replies = valueOf(await stubOf(init).act("listReplies", { limit: 10 }));

        expect(ended).toMatchObject({ status: "error", error: { type: "internal" }, pending: [] });
        expect(next.status).toBe("completed");
        expect(messages.data.at(-1)?.id).toBe(next.id);
        expect(replies.data.map(({ id, status }) => [id, status])).toEqual([
          [next.id, "completed"],
          [replyId, "error"],
        ]);
        await expect.poll(() => rowsOf(init, "SELECT entry FROM outbox")).toEqual([]);
        expect(valueOf(await stubOf(init).remove())).toBeNull();
      },
    );
});

describe("a session whose reply is over", () => {
  it.each([
    ["an event that is no JSON", `UPDATE events SET frames = ${BROKEN} WHERE seq = 3`],
    ["a message that is no JSON", "UPDATE messages SET body = x'7b' WHERE position = 1"],
  ])("and that has %s shows everything else and goes on", async (_, damage) => {
    const init = await createdSession();
    const first = await reply(init, "/say one");
    await poison({ init, replyId: first.id }, damage);
    const next = await reply(init, "/say two");
    const events = valueOf(await listEvents(init, { after: 0, limit: 100 }));
    const messages = valueOf(await listMessages(init, { limit: 10 }));

    expect(next.status).toBe("completed");
    expect(events.data.at(-1)).toMatchObject({ type: "REPLY_END", reply_id: next.id });
    expect(messages.data.map(({ id }) => id)).toContain(first.id);
    expect(messages.data.at(-1)?.id).toBe(next.id);
  });
});

describe("a queued reply that cannot be read", () => {
  it("ends with an error in its turn, and those behind it run", async () => {
    const { init, replyId } = await waitingReply();
    const queue = async (input: string) =>
      valueOf(await stubOf(init).act("startReply", { input, on_busy: "queue" }));
    const [broken, sound] = [await queue("/say two"), await queue("/say three")];
    await poison(
      { init, replyId },
      `UPDATE queued_replies SET body = x'7b', message_ids = '[' WHERE id = '${broken.id}'`,
    );
    await stubOf(init).act("interrupt", {});

    expect(await readReply(init, sound.id, 60_000)).toMatchObject({ status: "completed" });
    expect(await readReply(init, broken.id)).toMatchObject({
      status: "error",
      error: { type: "internal" },
    });
  });
});

describe("an id of a time that is not to come", () => {
  it("leaves the session able to make ids", async () => {
    const init = await createdSession();
    const first = await reply(init, "/say one");
    await poison(
      { init, replyId: first.id },
      "UPDATE replies SET id = 'rep_zzzzzzzzzzzzzzzzzzzzzzzzzz'",
    );
    const ids = [await reply(init, "/say two"), await reply(init, "/say three")].map(
      ({ id }) => id,
    );

    expect(ids.every((id) => /^rep_0[0-9a-z]{25}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(2);
  });
});

describe("a session whose settings cannot be read", () => {
  it.each(["{", "null", "{}"])(
    "(%s) shows its replies, takes no change and can be erased",
    async (text) => {
      const poisoned = await lostReply();
      const { init, replyId } = poisoned;
      await poison(poisoned, `UPDATE session SET init = '${text}'`);
      const stub = stubOf(init);
      const unreadable = { ok: false, refusal: { code: "session_unreadable" } };

      expect(await readReply(init, replyId)).toMatchObject({
        status: "error",
        session_id: init.session_id,
      });
      expect((await allEvents(init)).at(-1)).toMatchObject({ type: "REPLY_END" });
      expect(valueOf(await listMessages(init, { limit: 10 })).data).toHaveLength(2);
      expect(await stub.act("read")).toMatchObject(unreadable);
      expect(
        await stub.act("startReply", { input: "/say hello", on_busy: "reject" }),
      ).toMatchObject(unreadable);
      expect(await stub.act("update", { time_zone: null })).toMatchObject(unreadable);
      expect(await stub.create(init)).toMatchObject({ ok: false });
      expect(valueOf(await stub.remove())).toBeNull();
      expect(await stub.act("read")).toMatchObject({ refusal: { code: "not_found" } });
    },
  );
});

describe("a session with tables of another version", () => {
  it("from before the baseline is unreadable, is tried again by its alarm, and can be erased", async () => {
    const init = sessionInit({});
    await runInDurableObject(objectOf(init), (_, { storage }) => {
      // As before the baseline: the version is greater than 1, and yet no newer one.
      storage.sql.exec("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)");
      storage.sql.exec("INSERT INTO schema_version (version) VALUES (1), (12)");
      storage.sql.exec("CREATE TABLE session (id INTEGER PRIMARY KEY, init TEXT NOT NULL)");
      storage.sql.exec("INSERT INTO session (id, init) VALUES (1, ?)", JSON.stringify(init));
      return storage.setAlarm(Date.now() + 60_000);
    });
    const stub = stubOf(init);
    const unreadable = { ok: false, refusal: { code: "session_unreadable" } };
    await poison({ init, replyId: "" });

    expect(await stub.act("read")).toMatchObject(unreadable);
    expect(await listMessages(init, { limit: 10 })).toMatchObject(unreadable);
    expect(await stub.createFork({} as never)).toMatchObject({ ok: false });
    expect(await rowsOf(init, "SELECT max(version) AS version FROM schema_version")).toEqual([
      { version: 12 },
    ]);
    expect(await runDurableObjectAlarm(objectOf(init))).toBe(true);
    const next = await runInDurableObject(objectOf(init), (_, { storage }) => storage.getAlarm());
    expect(next).toBeGreaterThan(Date.now());
    expect(valueOf(await stub.remove())).toBeNull();
    expect(await stub.act("read")).toMatchObject({ refusal: { code: "not_found" } });
  });

  it("opens as it is when a newer version has made them", async () => {
    const init = await createdSession();
    await reply(init, "/say one");
    await poison(
      { init, replyId: "" },
      "INSERT INTO schema_version (version) VALUES (1000)",
      "ALTER TABLE replies ADD COLUMN of_the_future TEXT",
    );

    expect(await startReply(init, "/say two")).toMatchObject({ status: "running" });
  });
});
