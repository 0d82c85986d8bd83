// A session is erased whatever it is doing: what runs is stopped, whoever waits is let go, and nothing comes back.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { pauseMs } from "./held-session.ts";
import { LABEL, LOOK, parkedSession, confirmation, post, rowsOf } from "../confirmations/parked.ts";
import {
  createdSession,
  objectOf,
  openStream,
  readEvents,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "./session.ts";
import { BROAD } from "../../support/breadth.ts";

const GONE = { ok: false, refusal: { code: "not_found" } };

/** Models and tools that answer, a word every now and then, and never end. */
interface Endless {
  /** Requests whose caller has given up. */
  aborted: number;
  readonly requests: string[];
}

function endlessServers(): Endless {
  const endless: Endless = { aborted: 0, requests: [] };
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init as RequestInit);
    endless.requests.push(request.url);
    init?.signal?.addEventListener("abort", () => {
      endless.aborted += 1;
    });
    const isModel = request.url.includes("chat/completions");
    const piece = { id: "1", choices: [{ index: 0, delta: { content: "word " } }] };
    const text = isModel ? `data: ${JSON.stringify(piece)}\n\n` : "data: word\n\n";
    const body = new ReadableStream({
      type: "bytes",
      async pull(controller) {
        await pauseMs(10);
        controller.enqueue(new TextEncoder().encode(text));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  onTestFinished(() => spy.mockRestore());
  return endless;
}

const MODEL = { provider: "openai", name: "m", base_url: "https://model.example/v1" };
const REFUND = { ...LOOK, name: "refund", read_only: false };

interface Situation {
  readonly init: SessionInit;
  readonly replyId: string;
  /** Requests to models and tools that are under way. */
  readonly live: number;
  /** Nothing runs: whoever waits for that has had an answer. */
  readonly isParked?: true;
}

async function running(agent: object, input: string, type: string): Promise<Situation> {
  const init = await createdSession(agent);
  const { id } = await startReply(init, input);
  await readEvents(await openStream(init, `reply_id=${id}`), (event) => event.type === type);
  return { init, replyId: id, live: 1 };
}

/** Its object died this often, and was woken each time. */
async function diedWhileRunning(endless: Endless, times: number): Promise<Situation> {
  const made = await running({ model: MODEL }, "hello", "TEXT_BLOCK_DELTA");
  for (let time = 0; time < times; time += 1) {
    // The longer it has to rest, the less it matters when somebody looks.
    if (time > 0) await rowsOf(made.init, "UPDATE replies SET attempts_without_progress = 5");
    await abortAllDurableObjects();
    await stubOf(made.init).act("read");
    if (time === 0) await expect.poll(() => endless.requests.length).toBe(2);
  }
  return made;
}

const SITUATIONS: Record<string, (endless: Endless) => Promise<Situation>> = {
  "while its model streams": () => running({ model: MODEL }, "hello", "TEXT_BLOCK_DELTA"),
  "while a tool streams": () =>
    running({ tools: [LOOK] }, "/call look {}\n/say done", "TOOL_RESULT_TEXT_DELTA"),
  "while tools run in parallel": async (endless) => {
    const tools = [LOOK, { ...LOOK, name: "see" }];
    const made = await running({ tools }, "/call look {}\n/call see {}", "TOOL_RESULT_START");
    await expect.poll(() => endless.requests.length).toBe(2);
    return { ...made, live: 2 };
  },
  "while it waits for a person": async () => {
    const { init, parked } = await parkedSession();
    return { init, replyId: parked.id, live: 0, isParked: true };
  },
  "while it waits for a system outside": async () => {
    const { init, parked } = await parkedSession("/call label {}", { tools: [LABEL] });
    return { init, replyId: parked.id, live: 0, isParked: true };
  },
  "while it waits and another call runs": async (endless) => {
    const made = await running(
      { tools: [LOOK, REFUND] },
      "/call look {}\n/call refund {}",
      "REQUIRE_USER_CONFIRM",
    );
    await expect.poll(() => endless.requests.length).toBe(1);
    return made;
  },
  "just after an answer let it go on": async (endless) => {
    const { init, parked, call } = await parkedSession();
    await post(init, confirmation(parked.id, call));
    await expect.poll(() => endless.requests.length).toBe(1);
    return { init, replyId: parked.id, live: 1 };
  },
  "while other replies wait for this one": async () => {
    const made = await running({ model: MODEL }, "hello", "TEXT_BLOCK_DELTA");
    for (const input of ["one", "two"]) {
      valueOf(await stubOf(made.init).act("startReply", { input, on_busy: "queue" }));
    }
    return made;
  },
  "when it goes on after its object has died": (endless) => diedWhileRunning(endless, 1),
  "while it rests between two recoveries": async (endless) => {
    const made = await diedWhileRunning(endless, 2);
    const [row] = await rowsOf(made.init, "SELECT not_before FROM replies");
    expect(Number(row?.["not_before"])).toBeGreaterThan(Date.now());
    return { ...made, live: 0 };
  },
};

function whatIsLeft(init: SessionInit) {
  return runInDurableObject(objectOf(init), async (_, { storage }) => ({
    tables: storage.sql.exec("SELECT name FROM sqlite_master").toArray(),
    alarm: await storage.getAlarm(),
  }));
}

const NOTHING = { tables: [], alarm: null };

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

describe("a session", () => {
  test.each(Object.keys(SITUATIONS))("is erased %s", async (situation) => {
    const endless = endlessServers();
    const { init, replyId, live, isParked = false } = await SITUATIONS[situation]!(endless);
    const stub = stubOf(init);
    const stream = await stub.fetch("https://session/stream?after=0&follow=session");
    const events = readEvents(stream);
    const waiting = stubOf(init).act("readReply", { reply_id: replyId, wait_ms: 60_000 });
    await stubOf(init).act("read");
    const asked = endless.requests.length;
    const aborted = endless.aborted;

    const removed = await stubOf(init).remove();

    expect(removed).toEqual({ ok: true, value: null });
    expect((await events).at(-1)?.type).not.toBe("REPLY_END");
    const { ok } = await waiting;
    expect(ok).toBe(isParked);
    await expect.poll(() => endless.aborted - aborted).toBe(live);
    await pauseMs(300);
    expect(await whatIsLeft(init)).toEqual(NOTHING);
    expect(endless.requests.length).toBe(asked);
    expect(await runDurableObjectAlarm(objectOf(init))).toBe(false);
    expect([await stubOf(init).act("read"), await stubOf(init).remove()]).toMatchObject([
      GONE,
      GONE,
    ]);
  });

  test("answers whoever asks while it is being erased as if it had never been", async () => {
    const { init, parked, call } = await parkedSession();
    const stub = stubOf(init);
    const [removed, ...answers] = await Promise.all([
      stub.remove(),
      stub.act("read"),
      stub.act("startReply", { input: "hi", on_busy: "interrupt" }),
      stub.act("postEvent", confirmation(parked.id, call) as never, {
        actor: {
          kind: "api_key",
          id: "key_1",
          may_write_rules: false,
          may_take_rules: true,
          may_edit: true,
          must_prove_input: false,
        },
      }),
      stub.act("interrupt", {}),
      stub.act("observe", "a note"),
      stub.act("update", { metadata: { a: 1 } }),
      stub.act("readReply", { reply_id: parked.id, wait_ms: 1_000 }),
      stub.remove(),
    ]);

    expect(removed).toEqual({ ok: true, value: null });
    expect(answers).toMatchObject(answers.map(() => GONE));
    expect(await whatIsLeft(init)).toEqual(NOTHING);
  });

  test(
    "is erased at any moment of a reply, and the reply gets an answer either way",
    BROAD,
    async () => {
      for (const delayMs of [0, 1, 2, 3, 5, 8, 13, 21, 34]) {
        const init = await createdSession({ tools: [LABEL] });
        const started = stubOf(init).act("startReply", {
          input: "/rate 400\n/words 10\n/call label {}",
          on_busy: "interrupt",
        });
        await pauseMs(delayMs);
        const again = stubOf(init).act("startReply", { input: "/say hi", on_busy: "interrupt" });
        const removed = await stubOf(init).remove();
        const answers = await Promise.all([started, again]);

        expect(removed).toEqual({ ok: true, value: null });
        for (const answer of answers) if (!answer.ok) expect(answer).toMatchObject(GONE);
        await pauseMs(30);
        expect(await whatIsLeft(init)).toEqual(NOTHING);
      }
    },
  );

  test("that the storage refused to erase is erased by the same request again", async () => {
    const init = await createdSession();
    await reply(init, "/say hello");
    await runInDurableObject(objectOf(init), async (object, { storage }) => {
      const spy = vi.spyOn(storage, "deleteAll").mockRejectedValueOnce(new Error("no disk"));
      await expect(object.remove()).rejects.toThrow("no disk");
      spy.mockRestore();
    });
    expect(await stubOf(init).act("read")).toMatchObject(GONE);
    expect(await rowsOf(init, "SELECT count(*) AS n FROM replies")).toEqual([{ n: 1 }]);

    expect(await stubOf(init).remove()).toEqual({ ok: true, value: null });
    expect(await whatIsLeft(init)).toEqual(NOTHING);
  });
});
