import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { DELTA_COMMIT_MS } from "../../../protocol/events/limits.ts";
import { GATE, holdGates, holdTimers } from "../support/held-timers.ts";
import {
  allEvents,
  createdSession,
  listMessages,
  objectOf,
  openStream,
  readEvents,
  readReply,
  reply,
  startReply,
  valueOf,
} from "../sessions/session.ts";
import { sessionStub } from "../../../worker/objects/session-stub.ts";

interface Counted extends Record<string, SqlStorageValue> {
  n: number;
}

function count(state: DurableObjectState, query: string): number {
  return state.storage.sql.exec<Counted>(query).one().n;
}

describe("the log of a session", () => {
  it("gives seqs without a gap over several replies", async () => {
    const init = await createdSession();
    await reply(init, "/say one");
    await reply(init, "/say two");

    const events = await allEvents(init);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.map((event) => event.id)).toEqual(events.map((event) => `evt_${event.seq}`));
  });

  it("writes the high-water mark back exactly when a reply ends", async () => {
    const init = await createdSession();
    const { cursor } = await reply(init, "/say done");

    const mark = await runInDurableObject(objectOf(init), (_, state) =>
      count(state, "SELECT coalesce(reserved_seq, seq) AS n FROM events ORDER BY seq DESC LIMIT 1"),
    );
    expect(mark).toBe(cursor);
  });

  it("never gives a number again that a crash may have lost, and the reply reaches its end", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const started = await startReply(init, `/rate 200\n/words 100\n${GATE}`);
    const seen = await readEvents(
      await openStream(init, `after=${started.cursor}`),
      (event) => event.seq > 20,
    );
    const lastSeen = seen.at(-1)?.seq ?? 0;
    await abortAllDurableObjects();

    expect(await readReply(init, started.id)).toMatchObject({ status: "running", error: null });
    gates.release();
    const after = await readEvents(await openStream(init, `after=${lastSeen}`));
    expect(after.at(-1)?.type).toBe("REPLY_END");
    expect(
      Math.min(...after.filter(({ type }) => type.endsWith("_END")).map(({ seq }) => seq)),
    ).toBeGreaterThan(1_000);
    const next = await reply(init, "/say again");
    expect(next.status).toBe("completed");
  });

  it("takes a cursor inside what a crash lost, and refuses one that was never given out", async () => {
    const gates = holdGates();
    const init = await createdSession();
    await startReply(init, `/words 20\n${GATE}`);
    await abortAllDurableObjects();
    gates.release();

    const inGap = await readEvents(await openStream(init, "after=900"));
    expect(inGap.at(-1)?.type).toBe("REPLY_END");
    const mark = inGap.at(-1)?.seq ?? 0;
    expect(mark).toBeGreaterThan(1_000);
    const ahead = await openStream(init, `after=${mark + 1}`);
    expect(ahead.status).toBe(400);
    expect(await ahead.json()).toMatchObject({ code: "cursor_ahead" });
  });

  it("keeps its alarm while a reply runs and clears it at the end", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const startedAtMs = Date.now();
    const started = await startReply(init, `${GATE}\n/say done`);
    const armed = await runInDurableObject(objectOf(init), (_, state) => state.storage.getAlarm());
    await runDurableObjectAlarm(objectOf(init));
    gates.release();
    await readReply(init, started.id, 60_000);

    expect(armed).toBeGreaterThan(startedAtMs);
    // The outbox has an alarm of its own until D1 has heard of the reply.
    await expect
      .poll(() => runInDurableObject(objectOf(init), (_, state) => state.storage.getAlarm()))
      .toBeNull();
  });

  it("writes deltas when its clock goes off and with what follows them, not token by token", async () => {
    const clock = holdTimers((delayMs) => delayMs === DELTA_COMMIT_MS);
    const rowsAfter = async (input: string) => {
      const init = await createdSession();
      const { cursor } = await reply(init, input);
      const rows = await runInDurableObject(objectOf(init), (_, state) =>
        count(state, "SELECT count(*) AS n FROM events"),
      );
      return { cursor, rows };
    };
    const [one, many] = [await rowsAfter("/words 1"), await rowsAfter("/rate 200\n/words 30")];

    expect(many.cursor).toBeGreaterThan(one.cursor);
    expect([many.rows, clock.waiting]).toEqual([one.rows, 0]);
  });

  it("splits an event that is larger than a row and replays it whole", async () => {
    const init = await createdSession();
    const text = "wörd ".repeat(500_000);
    await reply(init, text);

    const [added] = await allEvents(init);
    expect(added).toMatchObject({ type: "CUSTOM", name: "message_added" });
    expect(JSON.stringify(added)).toContain(text.slice(0, 1_000));
    const largest = await runInDurableObject(objectOf(init), (_, state) => [
      count(state, "SELECT max(length(frames)) AS n FROM events"),
      count(state, "SELECT max(length(body)) AS n FROM messages"),
      count(state, "SELECT max(length(bytes)) AS n FROM parts"),
    ]);
    expect(Math.max(...largest)).toBeLessThanOrEqual(1_000_000);
    const { data } = valueOf(await listMessages(init, { limit: 10 }));
    expect(data[0]?.content[0]).toMatchObject({ type: "text", text });
  });

  it("answers for a session that was never created without making any storage", async () => {
    const stub = env.SESSION.getByName("ten_none:ses_none");
    const session = sessionStub(env, "ten_none", "ses_none");

    expect(await session.act("read")).toMatchObject({ ok: false, refusal: { code: "not_found" } });
    expect((await stub.fetch("https://session/stream?after=0")).status).toBe(404);
    const tables = await runInDurableObject(stub, (_, state) =>
      count(
        state,
        "SELECT count(*) AS n FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'",
      ),
    );
    expect(tables).toBe(0);
  });
});
