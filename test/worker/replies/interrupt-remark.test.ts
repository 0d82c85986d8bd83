// A reply's text after an interrupt, in the session's object: who may still write, what may still run, and what ends
// it.
import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { INTERRUPT_REMARK_MS } from "../../../protocol/replies/limits.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { sampled } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { GATE, holdGates, holdTimers } from "../support/held-timers.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import {
  confirmation,
  externalResult,
  interruption,
  LABEL,
  LOOK,
  post,
  REFUND,
  rowsOf,
} from "../confirmations/parked.ts";
import { queueReply, repliesOf } from "./queued.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  openStream,
  readEvents,
  readMessage,
  readReply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { expectAcceptableContext, expectWellFormed } from "../sessions/well-formed.ts";

const MODEL = { on_interrupt: { type: "model" } };
const TEXT = { on_interrupt: { type: "text", text: "I have stopped." } };
const TOOLS = { tools: [REFUND, LOOK, LABEL] };
/** The text of the scripted model when its script is through, as it is in most remarks. */
const REMARK = "The script is through.";

const of = (type: LoggedEvent["type"]) => (event: LoggedEvent) => event.type === type;

interface Stage {
  readonly script: string;
  readonly reached: (event: LoggedEvent) => boolean;
  readonly results: readonly string[];
}

const STAGES: Readonly<Record<string, Stage>> = {
  "in the middle of a text": {
    script: "/rate 100\n/words 20000",
    reached: of("TEXT_BLOCK_DELTA"),
    results: [],
  },
  "while a tool runs": {
    script: "/say I look.\n/call look {}\n/say no",
    reached: of("TOOL_RESULT_START"),
    results: ["interrupted"],
  },
  "while tools run in parallel": {
    script: "/call look {}\n/call look {}\n/say no",
    reached: of("TOOL_RESULT_START"),
    results: ["interrupted", "interrupted"],
  },
  "while one waits for a person": {
    script: '/call refund {"order_id":"A-1001"}\n/say no',
    reached: of("REQUIRE_USER_CONFIRM"),
    results: ["interrupted"],
  },
  "while one waits for a system outside": {
    script: "/call label {}\n/say no",
    reached: of("REQUIRE_EXTERNAL_EXECUTION"),
    results: ["interrupted"],
  },
  "while one waits for a person and another runs": {
    script: "/call refund {}\n/call look {}\n/say no",
    reached: of("TOOL_RESULT_START"),
    results: ["interrupted", "interrupted"],
  },
};

/** The tool never answers, unless it is stopped. @returns how often it was called. */
function hangingTool(): () => number {
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(
    (_, init) =>
      new Promise((_resolve, reject) => {
        const stopped = () => reject(new DOMException("stopped", "AbortError"));
        init?.signal?.addEventListener("abort", stopped);
      }),
  );
  return () => spy.mock.calls.length;
}

async function startedAt(agent: object, { script, reached }: Pick<Stage, "script" | "reached">) {
  const init = await createdSession({ ...TOOLS, ...agent });
  const started = await startReply(init, script);
  await readEvents(await openStream(init, `after=${started.cursor}`), reached);
  return { init, started };
}

async function eventsOf(init: SessionInit, { id }: Pick<Reply, "id">) {
  const all = await allEvents(init);
  return all.filter((event) => "reply_id" in event && event.reply_id === id);
}

/** The reply has ended as it should, and its session goes on. @returns its events. */
async function expectInterrupted(init: SessionInit, started: Reply, results: readonly string[]) {
  const events = await eventsOf(init, started);
  expectWellFormed(events);
  const stored = valueOf(await readMessage(init, started.id)).message;
  expect(JSON.stringify(foldEvents(events))).toBe(JSON.stringify(stored));
  expect(stored).toMatchObject({ finished_reason: "interrupted", error: null });
  expect(
    stored.content.flatMap((block) => (block.type === "tool_result" ? [block.state] : [])),
  ).toEqual(results);
  await expectAcceptableContext(init);
  const next = await queueReply(init, "/say and on");
  expect((await readReply(init, next.id, 60_000)).status).toBe("completed");
  return events;
}

for (const [rows, breadth] of sampled(Object.entries(STAGES), 2))
  describe.each(rows)("an interrupt %s", breadth, (_name, stage) => {
    it("lets the model say one thing, and ends the reply then", async () => {
      const calls = hangingTool();
      const { init, started } = await startedAt(MODEL, stage);
      const made = calls();
      const { interrupted, reply } = valueOf(await stubOf(init).act("interrupt", {}));

      expect([interrupted, reply?.status, reply?.pending]).toEqual([true, "interrupted", []]);
      const events = await expectInterrupted(init, started, stage.results);
      const text = stage.script.endsWith("/say no") ? "no" : REMARK;
      expect(foldEvents(events)?.content.at(-1)).toMatchObject({ type: "text", text });
      expect(calls()).toBe(made);
      vi.restoreAllMocks();
    });

    it("says its text in the commit that closes the calls", async () => {
      hangingTool();
      const { init, started } = await startedAt(TEXT, stage);
      const { reply } = valueOf(await stubOf(init).act("interrupt", {}));

      expect(reply?.status).toBe("interrupted");
      const events = await expectInterrupted(init, started, stage.results);
      expect(events.slice(-4).map(({ type }) => type)).toEqual([
        "TEXT_BLOCK_START",
        "TEXT_BLOCK_DELTA",
        "TEXT_BLOCK_END",
        "REPLY_END",
      ]);
      expect(foldEvents(events)?.content.at(-1)).toMatchObject({ text: "I have stopped." });
      vi.restoreAllMocks();
    });
  });

/** A reply whose remark waits at the gate: its calls are closed, and its model is asked. */
async function inRemark(agent: object = {}) {
  const gates = holdGates();
  const init = await createdSession({ ...TOOLS, ...MODEL, ...agent });
  const started = await startReply(init, `/call label {}\n${GATE}\n/say late`);
  await waitFor(async () =>
    expect((await readReply(init, started.id)).status).toBe("awaiting_external_result"),
  );
  const [call] = (await readReply(init, started.id)).pending;
  const interrupting = stubOf(init).act("interrupt", {});
  await waitFor(() => expect(gates.waiting).toBe(1));
  return { init, started, call: call!, interrupting, gates };
}

describe("while the model is asked", () => {
  it("a second interrupt ends the reply at once, and both callers hear it", async () => {
    const { init, started, interrupting } = await inRemark();
    const second = valueOf(await stubOf(init).act("interrupt", {}));

    expect(second).toMatchObject({ interrupted: true, reply: { status: "interrupted" } });
    expect(valueOf(await interrupting)).toMatchObject({
      interrupted: true,
      reply: { id: started.id, status: "interrupted" },
    });
    const events = await expectInterrupted(init, started, ["interrupted"]);
    expect(JSON.stringify(events)).not.toContain("late");
  });

  it("the next input does not wait for it with on_busy: interrupt", async () => {
    const { init, started, interrupting } = await inRemark();
    const start = { input: "/say next", on_busy: "interrupt" } as const;
    const next = valueOf(await stubOf(init).act("startReply", start));

    expect((await readReply(init, next.id, 60_000)).status).toBe("completed");
    expect(valueOf(await interrupting).reply?.status).toBe("interrupted");
    expect(await repliesOf(init)).toEqual([
      [started.id, "interrupted"],
      [next.id, "completed"],
    ]);
  });

  it("the reply is still the one that runs: others are refused or wait", async () => {
    const { init, started, interrupting, gates } = await inRemark();
    const start = { input: "/say next", on_busy: "reject" } as const;
    const refused = await stubOf(init).act("startReply", start);
    const queued = await queueReply(init, "/say queued");

    expect(refused).toMatchObject({ ok: false, refusal: { code: "reply_running" } });
    expect((await readReply(init, started.id)).status).toBe("running");
    gates.release();
    expect(valueOf(await interrupting).reply?.status).toBe("interrupted");
    expect((await readReply(init, queued.id, 60_000)).status).toBe("completed");
    const events = await eventsOf(init, started);
    expect(foldEvents(events)?.content.at(-1)).toMatchObject({ text: "late" });
  });

  it("no call takes an answer any more", async () => {
    const { init, started, call, interrupting, gates } = await inRemark();
    const result = await post(init, externalResult(started.id, call, "Label 1Z-77"));
    const approval = await post(init, confirmation(started.id, call));

    for (const answer of [result, approval]) {
      expect(answer).toMatchObject({ ok: false, refusal: { code: "call_not_pending" } });
    }
    gates.release();
    await interrupting;
    await expectInterrupted(init, started, ["interrupted"]);
  });

  it("a lost machine ends the reply: it is not asked again", async () => {
    const { init, started, interrupting } = await inRemark();
    const lost = interrupting.catch(() => "lost");
    await abortAllDurableObjects();
    await lost;
    const { status } = await readReply(init, started.id);

    expect(status).toBe("interrupted");
    const events = await expectInterrupted(init, started, ["interrupted"]);
    const asked = events.filter(({ type }) => type === "MODEL_CALL_START");
    expect(asked).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: "REPLY_END", metadata: {} });
  });

  it("the tenant's stop ends it without waiting", async () => {
    const { init, started, interrupting } = await inRemark();
    await stubOf(init).notify({ stopped: true } as never);

    expect(valueOf(await interrupting).reply?.status).toBe("interrupted");
    const events = await eventsOf(init, started);
    expectWellFormed(events);
    expect(JSON.stringify(events)).not.toContain("late");
  });

  it("a removal of the session does not wait for it", async () => {
    const { init, interrupting } = await inRemark();
    const interrupted = interrupting.catch(() => null);
    expect(await stubOf(init).remove()).toEqual({ ok: true, value: null });

    expect(await interrupted).toMatchObject({ ok: false, refusal: { code: "not_found" } });
  });

  it("a repeated request with its key is the same interrupt", async () => {
    const gates = holdGates();
    const init = await createdSession({ ...TOOLS, ...MODEL });
    const started = await startReply(init, `/say one\n/call label {}\n${GATE}\n/say late`);
    const idempotency = { key: "k1", fingerprint: "f1" } as never;
    const first = stubOf(init).act("interrupt", {}, { idempotency });
    await waitFor(() => expect(gates.waiting).toBeGreaterThan(0));
    gates.release();
    const [one, two] = [await first, await stubOf(init).act("interrupt", {}, { idempotency })];

    expect(valueOf(one as never)).toEqual(valueOf(two as never));
    const events = await eventsOf(init, started);
    expectWellFormed(events);
  });
});

describe("the time of a remark", () => {
  it("is limited: what was said by then stays, and the reply ends", async () => {
    const limit = holdTimers((delayMs) => delayMs === INTERRUPT_REMARK_MS);
    const { init, started, interrupting } = await inRemark();
    await waitFor(() => expect(limit.waiting).toBeGreaterThan(0));
    limit.release();

    expect(valueOf(await interrupting).reply?.status).toBe("interrupted");
    const events = await expectInterrupted(init, started, ["interrupted"]);
    expect(events.at(-1)).toMatchObject({ finished_reason: "interrupted", metadata: {} });
    const end = events.filter(({ type }) => type === "MODEL_CALL_END").at(-1);
    expect(end).toMatchObject({ finished_reason: "interrupted" });
  });
});

describe("USER_INTERRUPT", () => {
  it("is accepted as soon as it is durable; the remark follows in the stream", async () => {
    const gates = holdGates();
    const init = await createdSession({ ...TOOLS, ...MODEL });
    const started = await startReply(init, `/call label {}\n${GATE}\n/say late`);
    await waitFor(async () =>
      expect((await readReply(init, started.id)).status).toBe("awaiting_external_result"),
    );
    const receipt = valueOf(await post(init, interruption(started.id)));

    expect(receipt).toMatchObject({ applied: true, reply: { status: "running", pending: [] } });
    gates.release();
    expect((await readReply(init, started.id, 60_000)).status).toBe("interrupted");
    const events = await expectInterrupted(init, started, ["interrupted"]);
    const after = events.filter(({ seq }) => seq > receipt.cursor).map(({ type }) => type);
    expect(after.filter((type) => !type.endsWith("_DELTA"))).toEqual([
      "USER_INTERRUPT",
      "CUSTOM",
      "TOOL_RESULT_END",
      "HINT_BLOCK",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
  });
});

describe("nothing is said", () => {
  it.each([MODEL, TEXT])("by a reply that the next input ends: %j", async (agent) => {
    const { init, started } = await startedAt(agent, STAGES["in the middle of a text"]!);
    const start = { input: "/say next", on_busy: "interrupt" } as const;
    const next = valueOf(await stubOf(init).act("startReply", start));
    await readReply(init, next.id, 60_000);

    const events = await eventsOf(init, started);
    expectWellFormed(events);
    expect(events.at(-2)?.type).toBe("MODEL_CALL_END");
    expect(events.filter(({ type }) => type === "MODEL_CALL_START")).toHaveLength(1);
  });

  it.each([MODEL, TEXT])("by a queued reply that is interrupted: %j", async (agent) => {
    const { init } = await startedAt(agent, STAGES["while one waits for a person"]!);
    const queued = await queueReply(init, "/say queued");
    await post(init, interruption(queued.id));
    await stubOf(init).act("interrupt", {});
    await readReply(init, queued.id, 60_000);

    const { message } = valueOf(await readMessage(init, queued.id));
    expect([message.content, message.finished_reason]).toEqual([[], "interrupted"]);
  });

  it.each([MODEL, TEXT])("when the tenant is stopped: %j", async (agent) => {
    const { init, started } = await startedAt(agent, STAGES["in the middle of a text"]!);
    await stubOf(init).notify({ stopped: true } as never);
    await waitFor(async () =>
      expect((await readReply(init, started.id)).status).toBe("interrupted"),
    );

    const events = await eventsOf(init, started);
    expect(events.at(-2)?.type).toBe("MODEL_CALL_END");
  });
});

it("a reply that is interrupted before its first execution has one execution, that of its remark", () =>
  withHeldSession(MODEL, async ({ session, hold, release }) => {
    hold(true);
    const starting = session.queue.start({ input: "/say one", on_busy: "reject" });
    await waitFor(() => expect(session.openReply).not.toBe(null));
    const interrupting = session.runner.interrupt([], undefined, { isByUser: true });
    hold(false);
    await release();
    await release();
    const { id } = valueOf(await starting);
    await interrupting;
    const reply = valueOf(await session.queue.read(id, 60_000));

    expect(reply.status).toBe("interrupted");
    const events = [...session.log.events(0)].map(({ item }) => item);
    expectWellFormed(events);
    expect(events.filter(({ type }) => type === "MODEL_CALL_START")).toHaveLength(1);
    expect(getTextContent(reply.message!)).toBe("one");
  }));

it("a reply whose time is over in its remark ends as interrupted", async () => {
  const { init, started, interrupting } = await inRemark({ budget: { max_seconds: 60 } });
  await rowsOf(init, "UPDATE replies SET run_ms = 86400000");
  await rowsOf(init, "UPDATE timers SET due_at = 1");
  await runDurableObjectAlarm(objectOf(init));

  expect(valueOf(await interrupting).reply?.status).toBe("interrupted");
  const [end] = (await eventsOf(init, started)).slice(-1);
  expect(end).toMatchObject({
    finished_reason: "interrupted",
    error: null,
    metadata: { budget: "time", remark_error: { type: "unknown" } },
  });
});
