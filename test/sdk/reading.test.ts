import { describe, expect, inject, it, onTestFinished } from "vitest";

import { foldEvents, type ConnectionState, type LoggedEvent } from "../../sdk/index.ts";
import { BROAD } from "../support/breadth.ts";
import { collect } from "../support/collect.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { openDesk } from "./desk.ts";

const desk = await openDesk();

async function failureOf(act: () => Promise<void>): Promise<unknown> {
  return act().catch((error: unknown) => error);
}

describe("a reply", () => {
  it("ends with the platform's own view of it, and its text", async () => {
    const session = await desk.openSession();
    const reply = session.reply("/think Hm.\n/say Hello, wörld 👋");

    const done = await reply.done();

    expect(done).toEqual(await session.replies.get(reply.id ?? ""));
    expect({ status: reply.status, message: reply.message(), text: await reply.text() }).toEqual({
      status: "completed",
      message: done.message,
      text: "Hello, wörld 👋",
    });
  });

  it("is told from its message at every event", async () => {
    const session = await desk.openSession();
    const reply = session.reply('/call lookup_order {"order_id":"A-1001"}\n/say Done.');
    const before = { id: reply.id, status: reply.status, message: reply.message() };
    const events: LoggedEvent[] = [];

    for await (const event of reply) {
      events.push(event);
      expect(reply.message()).toEqual(foldEvents(events));
      expect(reply.cursor).toBe(event.seq);
    }

    expect(before).toEqual({ id: null, status: null, message: null });
    expect(events.at(-1)?.type).toBe("REPLY_END");
  });

  it("that waits for a person ends its events, and says what it waits for", async () => {
    const { reprise, agentId } = await openDesk({
      tools: [{ type: "http", name: "refund", url: "http://127.0.0.1:9/refund" }],
    });
    const session = await reprise.sessions.create({ agent_id: agentId });
    const states: ConnectionState[] = [];
    const reply = session.reply("/call refund {}\n/say Not reached.", {
      onConnectionChange: (state) => states.push(state),
    });

    const types = (await collect(reply)).map(({ type }) => type);

    expect(types.at(-1)).toBe("REQUIRE_USER_CONFIRM");
    expect(reply.status).toBe("awaiting_permission");
    expect(states).toEqual(["connecting", "open", "closed"]);
    expect((await reply.done()).pending.map(({ kind }) => kind)).toEqual(["permission"]);
  });

  it("gives its events once, to one reader at a time", async () => {
    const reply = (await desk.openSession()).reply("/rate 200\n/words 20");
    const first = reply[Symbol.asyncIterator]();
    await first.next();

    await expect(reply[Symbol.asyncIterator]().next()).rejects.toThrow(TypeError);
    for await (const _event of first);
    await expect(collect(reply)).rejects.toThrow(TypeError);
  });

  it("that the app stops reading goes on, and can be awaited to its end", BROAD, async () => {
    const session = await desk.openSession();
    const reply = session.reply("/rate 300\n/words 40");
    for await (const event of reply) if (event.type === "TEXT_BLOCK_DELTA") break;
    const cutAt = reply.cursor;

    const done = await reply.done();

    expect(done.status).toBe("completed");
    expect(reply.cursor).toBeGreaterThan(cutAt);
    expect(reply.message()).toEqual(done.message);
  });

  it("is ended by an interrupt, and its reader sees the end", async () => {
    const session = await desk.openSession();
    const reply = session.reply("/rate 50\n/words 20000");
    for await (const event of reply) {
      if (event.type === "TEXT_BLOCK_DELTA" && !reply.message()?.finished_reason) {
        await session.interrupt();
      }
    }

    expect(reply.status).toBe("interrupted");
    expect(await session.interrupt()).toEqual({ interrupted: false, reply: null });
  });

  it("goes on after a page reload from the cursor and message that were kept", async () => {
    const session = await desk.openSession();
    const first = session.reply("/rate 300\n/words 40");
    for await (const event of first) if (event.type === "TEXT_BLOCK_DELTA") break;
    const kept = JSON.stringify({ id: first.id, after: first.cursor, message: first.message() });

    const { id, after, message } = JSON.parse(kept);
    const resumed = desk.clientOf({}).session(session.id).resumeReply(id, { after, message });
    const events = await collect(resumed);

    expect(events[0]?.seq).toBe(after + 1);
    const stored = await session.message(id);
    expect(JSON.stringify(resumed.message())).toBe(JSON.stringify(stored.message));
  });

  it("has two readers that see the same events", BROAD, async () => {
    const session = await desk.openSession();
    const started = await session.replies.create("/rate 200\n/words 40", { background: true });

    const both = await Promise.all([
      collect(session.resumeReply(started.id)),
      collect(desk.clientOf({}).session(session.id).resumeReply(started.id)),
    ]);

    expect(both[0]).toEqual(both[1]);
    expect(both[0]?.at(-1)?.type).toBe("REPLY_END");
  });
});

describe("the events of a session", () => {
  it("are all replies' from a cursor on, and end when nothing runs", async () => {
    const session = await desk.openSession();
    await session.reply("/say One.").done();
    await session.reply("/say Two.").done();

    const all = await collect(session.events());
    const rest = await collect(session.events({ after: 5 }));

    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all.filter(({ type }) => type === "REPLY_END")).toHaveLength(2);
    expect(rest).toEqual(all.slice(5));
  });
});

describe("a reader that follows", () => {
  it("stays from one reply to the next, until it is aborted", async () => {
    const session = await desk.openSession();
    const abort = new AbortController();
    const ended: string[] = [];
    const following = failureOf(async () => {
      for await (const event of session.events({ follow: true, signal: abort.signal })) {
        if (event.type === "REPLY_END") ended.push(event.reply_id);
        if (ended.length === 2) abort.abort("seen enough");
      }
    });
    const first = await session.reply("/say One.").done();
    const second = await session.reply("/say Two.").done();

    expect(await following).toBe("seen enough");
    expect(ended).toEqual([first.id, second.id]);
  });
});

describe("a reader", () => {
  it("that is aborted throws the reason, and the reply goes on", BROAD, async () => {
    const session = await desk.openSession();
    const abort = new AbortController();
    const states: ConnectionState[] = [];
    const reply = session.reply("/rate 100\n/words 60", {
      signal: abort.signal,
      onConnectionChange: (state) => states.push(state),
    });
    const failure = await failureOf(async () => {
      for await (const event of reply) {
        if (event.type === "TEXT_BLOCK_DELTA") abort.abort("the screen was closed");
      }
    });

    expect(failure).toBe("the screen was closed");
    expect(states).toEqual(["connecting", "open", "closed"]);
    expect((await session.resumeReply(reply.id ?? "").done()).status).toBe("completed");
  });

  it("leaves a stream that fell silent for a new one, and loses nothing", BROAD, async () => {
    const proxy = await startCuttingProxy(inject("baseUrl"), (connection) =>
      connection === 0 ? { kind: "stall", afterBytes: 2_500 } : { kind: "pass" },
    );
    onTestFinished(() => proxy.stop());
    const states: ConnectionState[] = [];
    const direct = await desk.openSession();
    const phone = desk.clientOf({
      baseUrl: proxy.url,
      // Long enough that a busy machine makes no second silence.
      reconnect: { firstDelayMs: 2, stallMs: 10_000 },
    });

    const reply = phone.session(direct.id).reply("/rate 200\n/words 40", {
      onConnectionChange: (state) => states.push(state),
    });
    const events = await collect(reply);

    expect(events).toEqual(await collect(direct.events({ replyId: reply.id ?? "" })));
    expect(states).toEqual(["connecting", "open", "reconnecting", "open", "closed"]);
  });
});
