// Replies that were asked for while another one was open, and wait for their turn.
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { InputMessage, Reply } from "../../../protocol/replies/contract.ts";
import { MAX_ROW_BYTES } from "../../../protocol/events/limits.ts";
import { MAX_QUEUED_REPLIES } from "../../../protocol/replies/limits.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { pauseMs, withHeldSession, within } from "../sessions/held-session.ts";
import {
  confirmation,
  interruption,
  makeDue,
  parkedSession,
  post,
  rowsOf,
} from "../confirmations/parked.ts";
import { queueReply, queueResult, repliesOf, userTexts } from "./queued.ts";
import {
  allEvents,
  createdSession,
  listEvents,
  openStream,
  readEvents,
  readReply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { BROAD } from "../../support/breadth.ts";

const SLOW = "/rate 50\n/words 20000";
const SOON = `${GATE}\n/say first`;

describe("a reply that is asked for with on_busy: queue", () => {
  it("starts at once in a session in which nothing runs", async () => {
    const init = await createdSession();
    const only = await queueReply(init, "/say hello");

    expect(await readReply(init, only.id, 60_000)).toMatchObject({ status: "completed" });
    expect(valueOf(await stubOf(init).act("read")).queued_reply_ids).toEqual([]);
  });

  it("is accepted while another one runs, and begins when that has ended", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const first = await startReply(init, SOON);
    const second = await queueReply(init, "/say second");

    expect(second).toEqual({ ...nothingYet(init, second), cursor: second.cursor });
    expect(second.cursor).toBeGreaterThanOrEqual(first.cursor);
    expect(await readReply(init, second.id)).toEqual(second);
    gates.release();
    const ended = await readReply(init, second.id, 60_000);
    expect([ended.status, textOf(ended)]).toEqual(["completed", "second"]);
    expect(await repliesOf(init)).toEqual([
      [first.id, "completed"],
      [second.id, "completed"],
    ]);
    expect(await userTexts(init)).toEqual([SOON, "/say second"]);
  });

  it("runs in the order in which it was accepted", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const first = await startReply(init, SOON);
    const stub = stubOf(init);
    const all = await Promise.all(
      [1, 2, 3, 4].map((n) => stub.act("startReply", { input: `/say ${n}`, on_busy: "queue" })),
    );
    const ids = all.map((result) => valueOf(result).id);
    gates.release();
    await readReply(init, ids[3]!, 60_000);

    expect(await repliesOf(init)).toEqual([first.id, ...ids].map((id) => [id, "completed"]));
    expect(await userTexts(init)).toEqual([SOON, "/say 1", "/say 2", "/say 3", "/say 4"]);
  });

  it("is refused when the queue is full, with how many wait", async () => {
    const init = await createdSession();
    await startReply(init, SLOW);
    for (let n = 0; n < MAX_QUEUED_REPLIES; n += 1) await queueReply(init, `/say ${n}`);

    expect(await queueResult(init, "/say more")).toEqual({
      ok: false,
      refusal: {
        code: "queue_full",
        detail: `${MAX_QUEUED_REPLIES} replies wait for their turn in this session; ask again when one has begun`,
        extensions: { queued: MAX_QUEUED_REPLIES },
      },
    });
    await stubOf(init).act("interrupt", { queued: "drop" });
  });

  it("is refused when what waits would take too many bytes", BROAD, async () => {
    const init = await createdSession();
    await startReply(init, SLOW);
    const large = "x".repeat(7_900_000);
    await queueReply(init, large);
    await queueReply(init, large);

    expect(await queueResult(init, large)).toMatchObject({
      ok: false,
      refusal: { code: "queue_full", extensions: { queued: 2 } },
    });
    await stubOf(init).act("interrupt", { queued: "drop" });
    expect(await userTexts(init)).toEqual([SLOW, large, large]);
  });

  it(
    "takes its input with it when it begins, and leaves what the next one waits with",
    BROAD,
    async () => {
      const init = await createdSession();
      await startReply(init, SLOW);
      const large = ["a", "b"].map((letter) => letter.repeat(MAX_ROW_BYTES * 2));
      const second = await queueReply(init, [message("m-1", large[0]!), message("m-2", SLOW)]);
      const third = await queueReply(init, [
        message("m-3", large[1]!),
        message("m-4", "/say done"),
      ]);
      const byReply =
        "SELECT count(*) AS parts FROM parts WHERE owner = 'queued_reply' GROUP BY key";
      const waiting = [await rowsOf(init, byReply)];

      await stubOf(init).act("interrupt", {});
      const stream = await openStream(init, `after=0&reply_id=${second.id}`);
      await readEvents(stream, ({ type }) => type === "MODEL_CALL_START");
      waiting.push(await rowsOf(init, byReply));
      await stubOf(init).act("interrupt", {});
      const { status } = await readReply(init, third.id, 60_000);
      waiting.push(await rowsOf(init, byReply));

      expect(waiting).toEqual([[{ parts: 2 }, { parts: 2 }], [{ parts: 2 }], []]);
      expect([status, await userTexts(init)]).toEqual([
        "completed",
        [SLOW, large[0], SLOW, large[1], "/say done"],
      ]);
    },
  );

  it("is shown by the session and by the list of replies, the newest first", async () => {
    const init = await createdSession();
    const first = await startReply(init, SLOW);
    const [second, third] = [await queueReply(init, "/say 2"), await queueReply(init, "/say 3")];

    expect(valueOf(await stubOf(init).act("read"))).toMatchObject({
      status: "running",
      reply_id: first.id,
      queued_reply_ids: [second.id, third.id],
    });
    const page = valueOf(await stubOf(init).act("listReplies", { limit: 2 }));
    expect(page.data).toEqual([third, second]);
    const rest = valueOf(
      await stubOf(init).act("listReplies", { limit: 2, page: page.next_page! }),
    );
    expect(rest.data.map(({ id }) => id)).toEqual([first.id]);
    await stubOf(init).act("interrupt", { queued: "drop" });
  });

  it("has a stream of its own events only, wherever it was opened", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const first = await startReply(init, SOON);
    const second = await queueReply(init, "/say second");
    const early = openStream(init, `after=0&reply_id=${second.id}`).then((r) => readEvents(r));
    const page = { after: 0, limit: 50, reply_id: second.id };

    expect(valueOf(await listEvents(init, page))).toMatchObject({ data: [], cursor: 0 });
    gates.release();
    const events = await early;
    const start = events[0]!.seq;
    expect(events.map(({ type }) => type)).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      ...deltasOf(events),
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
    expect((await allEvents(init)).filter(({ seq }) => seq >= start)).toEqual(events);
    expect(valueOf(await listEvents(init, page)).data).toEqual(events);
    expect(await readReply(init, first.id)).toMatchObject({ status: "completed" });
  });

  it("is part of a stream of the session, which goes on from one reply to the next", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const first = await startReply(init, SOON);
    const second = await queueReply(init, "/say second");
    const third = await queueReply(init, "/say third");
    const stream = await openStream(init, "after=0");
    gates.release();
    const events = await readEvents(stream);

    expect(events.flatMap((event) => (event.type === "REPLY_END" ? [event.reply_id] : []))).toEqual(
      [first.id, second.id, third.id],
    );
  });

  it.each([
    ["is interrupted", SLOW, "interrupted"],
    ["fails", `${GATE}\n/fail authentication`, "error"],
  ])("begins when the one before it %s", async (_, input, status) => {
    const gates = holdGates();
    const init = await createdSession();
    const first = await startReply(init, input);
    const second = await queueReply(init, "/say second");
    if (status === "interrupted") await stubOf(init).act("interrupt", {});
    gates.release();

    expect(await readReply(init, second.id, 60_000)).toMatchObject({ status: "completed" });
    expect(await readReply(init, first.id)).toMatchObject({ status });
  });

  it("waits behind a reply that waits for a person, and begins when that has gone on and ended", async () => {
    const { init, parked, call } = await parkedSession();
    const second = await queueReply(init, "/say second");
    await pauseMs(50);

    expect(await readReply(init, second.id)).toEqual(second);
    expect(valueOf(await stubOf(init).act("read")).status).toBe("awaiting_permission");
    await post(init, confirmation(parked.id, call, { confirmed: false }));
    expect(await readReply(init, second.id, 60_000)).toMatchObject({ status: "completed" });
    expect(await readReply(init, parked.id)).toMatchObject({ status: "completed" });
  });

  it("begins when the call that the one before it waits for has expired", BROAD, async () => {
    const { init, parked } = await parkedSession();
    const second = await queueReply(init, "/say second");
    await makeDue(init, "expiry");
    await post(init, interruption("rep_0"));

    expect(await readReply(init, second.id, 60_000)).toMatchObject({ status: "completed" });
    expect(await readReply(init, parked.id)).toMatchObject({ status: "completed" });
  });

  it("begins with the schema that it was asked with, and with messages that were observed before", async () => {
    const init = await createdSession();
    const observed = message("m-0", "/say never");
    valueOf(await stubOf(init).act("observe", [observed]));
    await startReply(init, SLOW);
    const structured_schema = { type: "object", properties: { a: { type: "string" } } };
    const input = [observed, message("m-1", '/structured {"a":"b"}')];
    const start = { input, on_busy: "queue", structured_schema } as const;
    const { id } = valueOf(await stubOf(init).act("startReply", start));
    await abortAllDurableObjects();
    await stubOf(init).act("interrupt", {});

    expect((await readReply(init, id, 60_000)).message).toMatchObject({
      structured_output: { a: "b" },
    });
    const rows = await rowsOf(init, `SELECT id FROM messages WHERE reply_id = '${id}' ORDER BY id`);
    expect(rows).toEqual([{ id: "m-0" }, { id: "m-1" }, { id }]);
  });

  it("lets go of everybody who waits for it when the session is removed", async () => {
    const init = await createdSession();
    await startReply(init, SLOW);
    const second = await queueReply(init, "/say second");
    const waiting = stubOf(init).act("readReply", { reply_id: second.id, wait_ms: 60_000 });
    const stream = openStream(init, `after=0&reply_id=${second.id}`).then((r) => readEvents(r));
    await pauseMs(20);
    await stubOf(init).remove();

    expect(await within(waiting, 60_000)).toMatchObject({ refusal: { code: "not_found" } });
    expect(await within(stream, 60_000)).toEqual([]);
    expect(await stubOf(init).act("read")).toMatchObject({ refusal: { code: "not_found" } });
  });
});

describe("while a reply waits for its turn", () => {
  it("another tab's is refused with on_busy: reject, also in the moment between two replies", () =>
    withHeldSession({}, async ({ session, hold, release }) => {
      const first = valueOf(await session.queue.start({ input: SLOW, on_busy: "reject" }));
      const second = valueOf(await session.queue.start({ input: "/say 2", on_busy: "queue" }));
      hold(true);
      void session.runner.interrupt();
      const between = await session.queue.start({ input: "/say 3", on_busy: "reject" });

      expect(between).toMatchObject({
        refusal: { code: "reply_running", extensions: { reply_id: second.id, pending: [] } },
      });
      hold(false);
      await release();
      expect(valueOf(await session.queue.read(second.id, 60_000)).status).toBe("completed");
      expect(valueOf(await session.queue.read(first.id, 0)).status).toBe("interrupted");
    }));

  it("another one with on_busy: interrupt goes before it", async () => {
    const init = await createdSession();
    const first = await startReply(init, SLOW);
    const second = await queueReply(init, "/say second");
    const urgent = valueOf(
      await stubOf(init).act("startReply", { input: "/say urgent", on_busy: "interrupt" }),
    );
    await readReply(init, second.id, 60_000);

    expect(await repliesOf(init)).toEqual([
      [first.id, "interrupted"],
      [urgent.id, "completed"],
      [second.id, "completed"],
    ]);
  });

  it("the same message again gets that reply, whatever it says about busy", async () => {
    const init = await createdSession();
    await startReply(init, SLOW);
    const input = message("m-1", "/say second");
    const second = valueOf(await stubOf(init).act("startReply", { input, on_busy: "queue" }));

    for (const on_busy of ["queue", "reject", "interrupt"] as const) {
      expect(valueOf(await stubOf(init).act("startReply", { input, on_busy }))).toEqual(second);
    }
    expect(valueOf(await stubOf(init).act("read")).queued_reply_ids).toEqual([second.id]);
    await stubOf(init).act("interrupt", { queued: "drop" });
  });

  it("the same Idempotency-Key gets that reply again, also when the object has died", async () => {
    const init = await createdSession();
    await startReply(init, SOON);
    const start = { input: "/say second", on_busy: "queue" } as const;
    const once = { key: "createReply k", fingerprint: "f" };
    const second = valueOf(await stubOf(init).act("startReply", start, { idempotency: once }));
    const again = await stubOf(init).act("startReply", start, { idempotency: once });
    await abortAllDurableObjects();
    const later = await stubOf(init).act("startReply", start, { idempotency: once });

    expect([again, later]).toEqual([
      { ok: true, value: second, is_replayed: true },
      { ok: true, value: second, is_replayed: true },
    ]);
    expect(valueOf(await stubOf(init).act("read")).queued_reply_ids).toEqual([second.id]);
    await stubOf(init).act("interrupt", { queued: "drop" });
  });

  it("its message's id and its own are taken", async () => {
    const init = await createdSession();
    await startReply(init, SLOW);
    const second = await queueReply(init, message("m-1", "/say second"));

    for (const id of ["m-1", second.id]) {
      expect(await queueResult(init, message(id, "/say other"))).toMatchObject({
        refusal: { code: "message_conflict", errors: [{ pointer: "#/input/id" }] },
      });
    }
    await stubOf(init).act("interrupt", { queued: "drop" });
  });

  it("a double tap on an idle session starts one reply", async () => {
    const init = await createdSession();
    const stub = stubOf(init);
    const input = message("m-1", "/say once");
    const both = await Promise.all([
      stub.act("startReply", { input, on_busy: "queue" }),
      stub.act("startReply", { input, on_busy: "queue" }),
    ]);
    const ids = new Set(both.map((result) => valueOf(result).id));
    await readReply(init, [...ids][0]!, 60_000);

    expect(ids.size).toBe(1);
    expect(await repliesOf(init)).toEqual([[...ids].map((id) => [id, "completed"])].flat());
  });
});

function message(id: string, content: string): InputMessage {
  return { id, name: "user", role: "user", content, metadata: {} };
}

function nothingYet({ session_id }: SessionInit, { id }: Reply): Omit<Reply, "cursor"> {
  return {
    id,
    session_id,
    status: "running",
    message: null,
    pending: [],
    error: null,
    usage: null,
  };
}

function textOf({ message: shown }: Reply): string {
  return (shown?.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");
}

function deltasOf(events: readonly LoggedEvent[]): string[] {
  return events.flatMap(({ type }) => (type === "TEXT_BLOCK_DELTA" ? [type] : []));
}
