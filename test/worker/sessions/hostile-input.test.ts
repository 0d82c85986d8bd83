/** @module-tag broad */
// The whole object: hostile ids, clocks, alarms, what D1 is told.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";

import { sessionObjectName, type SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
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
  stubOf,
  valueOf,
} from "./session.ts";
import { ask, openSession } from "../support/api.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { pauseMs, within } from "./held-session.ts";

afterEach(() => {
  vi.useRealTimers();
});

const message = (id: string, content: string) => ({
  id,
  content,
  name: "user",
  role: "user" as const,
  metadata: {},
});

async function statusOfStream(init: SessionInit): Promise<number> {
  const { status, body } = await openStream(init, "after=0");
  await body?.cancel();
  return status;
}

describe("message ids of clients", () => {
  it("that are no Unicode do not reset the object", async () => {
    const init = await createdSession();
    const before = await runInDurableObject(objectOf(init), (instance) => {
      Object.assign(instance, { mark: "same" });
      return "same";
    });
    const started = await stubOf(init)
      .act("startReply", {
        input: [message("\ud800", "a"), message("\ud801", "b")],
        on_busy: "reject",
      })
      .catch((error: unknown) => String(error));
    const after = await runInDurableObject(
      objectOf(init),
      (instance) => (instance as unknown as { mark?: string }).mark,
    );

    expect({ started: typeof started, after }).toEqual({ started: "object", after: before });
  });

  it("that are no Unicode are refused over HTTP, or taken", async () => {
    const { path, call } = await openSession();
    const body =
      '{"background":true,"input":[{"id":"\\ud800","content":"a"},{"id":"\\ud801","content":"b"}]}';
    const answer = await ask("POST", `${path}/replies`, {
      ...call,
      body,
      headers: { "Content-Type": "application/json" },
    });

    expect(answer.status).toBeLessThan(500);
  });

  it("with a NUL are told apart", async () => {
    const init = await createdSession();
    const started = await stubOf(init).act("startReply", {
      input: [message("a\0b", "/say a"), message("a\0c", "/say b")],
      on_busy: "reject",
    });

    expect(started.ok).toBe(true);
  });

  it("that name the running reply are refused without ending it", async () => {
    const init = await createdSession();
    const running = await startReply(init, "/rate 50\n/words 20000");
    await pauseMs(50);
    const answer = await stubOf(init).act("startReply", {
      input: message(running.id, "hello"),
      on_busy: "interrupt",
    });

    expect(answer.ok).toBe(false);
    expect((await readReply(init, running.id)).status).toBe("running");
    await stubOf(init).act("interrupt", {});
  });
});

describe("a clock that goes back", () => {
  it("leaves no reply running for ever after a crash", async () => {
    const init = await createdSession();
    vi.setSystemTime(Date.now() + 60_000);
    await reply(init, "/say ahead");
    vi.useRealTimers();
    await abortAllDurableObjects();
    const gates = holdGates();
    const started = await startReply(init, `/words 20\n${GATE}`);
    await abortAllDurableObjects();
    gates.release();

    expect((await readReply(init, started.id, 60_000)).status).toBe("completed");
  });

  it("leaves the stream of a reply an end after a crash", async () => {
    const init = await createdSession();
    vi.setSystemTime(Date.now() + 60_000);
    await reply(init, "/say ahead");
    vi.useRealTimers();
    await abortAllDurableObjects();
    const gates = holdGates();
    const started = await startReply(init, `/words 20\n${GATE}`);
    await abortAllDurableObjects();
    gates.release();

    const stream = openStream(init, `after=0&reply_id=${started.id}`).then((r) => readEvents(r));
    expect(await within(stream, 60_000)).not.toBe("pending");
  });
});

describe("ids of one object", () => {
  it("grow over a restart, also after more ids than milliseconds", async () => {
    const init = await createdSession({
      tools: [],
      max_iters: 200,
    });
    await reply(init, `${"/call nothing {}\n".repeat(1_000)}/say done`);
    const second = await reply(init, "/say second");
    await abortAllDurableObjects();
    const third = await reply(init, "/say third");

    expect(third.id > second.id).toBe(true);
  });
});

describe("the alarm", () => {
  it("is armed again when it comes before anything is due", async () => {
    const init = await createdSession();
    await startReply(init, "/rate 20\n/words 20000");
    await runDurableObjectAlarm(objectOf(init));

    const armed = await runInDurableObject(objectOf(init), (_, state) => state.storage.getAlarm());
    expect(armed).not.toBeNull();
    await stubOf(init).act("interrupt", {});
  });
});

describe("what D1 is told", () => {
  it("is the version and the model that the reply ran with", async () => {
    const opened = await openSession({
      name: "Before",
      model: { provider: "scripted", name: "old" },
    });
    const { path, call, tenantId, session } = opened;
    const gates = holdGates();
    await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: `/words 20\n${GATE}`, background: true },
    });
    const object = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
    await (object as unknown as ReturnType<typeof stubOf>).act("update", {
      agent_version: 2,
      snapshot: {
        version: 2,
        definition: AgentCreateSchema.parse({
          name: "After",
          model: { provider: "scripted", name: "new" },
        }),
        credentials: {},
      },
    });
    gates.release();
    const usage = () =>
      env.DB.prepare(
        "SELECT agent_version, model_name FROM usage JOIN session_states USING (session_id) WHERE session_id = ?",
      )
        .bind(session.id)
        .first();
    await expect.poll(usage).not.toBeNull();

    expect(await usage()).toEqual({ agent_version: 1, model_name: "old" });
  });

  it("arrives also when a call that waits holds half a character", async () => {
    const tools = [{ type: "http", name: "refund", url: "https://tools.example/refund" }];
    const { path, call, session } = await openSession({ name: "Desk", tools });
    const json = { input: '/call refund {"why":"a\ud800b"}' };
    await ask<Reply>("POST", `${path}/replies`, { ...call, json });
    const rows = async () =>
      (
        await env.DB.prepare("SELECT count(*) AS n FROM pending_calls WHERE session_id = ?")
          .bind(session.id)
          .first<{ n: number }>()
      )?.n;

    await expect.poll(rows).toBe(1);
  });
});

describe("streams", () => {
  it("that nobody waited for take no place", async () => {
    const init = await createdSession();
    await startReply(init, "/rate 20\n/words 20000");
    for (let index = 0; index < 220; index += 1) {
      const controller = new AbortController();
      const opening = objectOf(init).fetch("https://session/stream?after=0", {
        signal: controller.signal,
      });
      controller.abort();
      await opening.catch(() => undefined);
    }

    await expect.poll(() => statusOfStream(init)).toBe(200);
    await stubOf(init).act("interrupt", {});
  });

  it("that were left unread take no place", async () => {
    const init = await createdSession();
    await startReply(init, "/rate 20\n/words 20000");
    for (let index = 0; index < 220; index += 1) {
      const response = await openStream(init, "after=0");
      await response.body?.cancel();
    }

    await expect.poll(() => statusOfStream(init)).toBe(200);
    await stubOf(init).act("interrupt", {});
  });
});

describe("pages", () => {
  it.each(["pg_", "nonsense7", "pg_1e3", "pg_-1", "pg_Infinity"])(
    "of messages refuse the token %s",
    async (page) => {
      const init = await createdSession();
      await reply(init, "/say hi");

      expect((await listMessages(init, { limit: 5, page })).ok).toBe(false);
    },
  );

  it("of events name a next page that the route takes", async () => {
    const { path, call } = await openSession();
    await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hi" } });
    const first = await ask<{ next_page: string }>("GET", `${path}/events?limit=2`, call);
    const second = await ask("GET", `${path}/events?page=${first.json.next_page}&limit=2`, call);

    expect(second.status).toBe(200);
  });
});

describe("a reset in the middle", () => {
  it("of a wait leaves a reply that can be waited for again", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const started = await startReply(init, `/words 20\n${GATE}`);
    const waiting = readReply(init, started.id, 60_000).catch((error: unknown) => String(error));
    await pauseMs(20);
    await abortAllDurableObjects();
    gates.release();
    await waiting;

    expect((await readReply(init, started.id, 60_000)).status).toBe("completed");
    expect((await allEvents(init)).at(-1)?.type).toBe("REPLY_END");
  });

  it("of a stream breaks it, and its cursor goes on", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const { cursor } = await startReply(init, `/words 20\n${GATE}`);
    const response = await openStream(init, `after=${cursor}`);
    const reading = readEvents(response).catch(() => "broken");
    await pauseMs(50);
    await abortAllDurableObjects();
    gates.release();

    expect(await within(reading, 60_000)).toBe("broken");
    const events = await readEvents(await openStream(init, `after=${cursor}`));
    expect(events.at(-1)).toMatchObject({ type: "REPLY_END", finished_reason: "completed" });
    expect(valueOf(await stubOf(init).act("read")).status).toBe("idle");
  });
});
