// An interrupt at every stage of a reply, by each of the ways to ask for one. Whatever it meets: one terminal event, a
// conversation that the next turn can use, and a next reply that completes.
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { sampled } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { pauseMs, withHeldSession } from "../sessions/held-session.ts";
import { interruption, LABEL, LOOK, post, REFUND, rowsOf } from "../confirmations/parked.ts";
import { queueReply, repliesOf } from "./queued.ts";
import {
  allEvents,
  createdSession,
  listEvents,
  openStream,
  readEvents,
  readMessage,
  readReply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { expectAcceptableContext, expectWellFormed } from "../sessions/well-formed.ts";

interface Stage {
  readonly script: string;
  /** The stage is reached when this is true for an event. */
  readonly reached: (event: LoggedEvent) => boolean;
  /** Milliseconds for which it then goes on. */
  readonly laterMs?: number;
  /** A tool's answer; it never answers when left out. */
  readonly answer?: () => Response;
  /** The states of the results when all is over. */
  readonly results: readonly string[];
}

const of = (type: LoggedEvent["type"]) => (event: LoggedEvent) => event.type === type;

const STAGES: Readonly<Record<string, Stage>> = {
  "before the model's first byte": {
    script: "/wait 86400000\n/say late",
    reached: of("MODEL_CALL_START"),
    results: [],
  },
  "in the middle of a thought": {
    script: `/rate 50\n/think ${"A long thought. ".repeat(5_000)}\n/say no`,
    reached: of("THINKING_BLOCK_DELTA"),
    results: [],
  },
  "in the middle of a text": {
    script: "/rate 100\n/words 20000",
    reached: of("TEXT_BLOCK_DELTA"),
    results: [],
  },
  "between two blocks of a turn": {
    script: "/say one\n/wait 86400000\n/call look {}",
    reached: of("TEXT_BLOCK_DELTA"),
    laterMs: 20,
    results: [],
  },
  "in the middle of a call's JSON": {
    script: `/rate 50\n/call look {"text":"${"word ".repeat(20_000)}"}`,
    reached: of("TOOL_CALL_DELTA"),
    laterMs: 40,
    results: ["interrupted"],
  },
  "in the second call's JSON": {
    script: `/rate 50\n/call look {}\n/call look {"text":"${"word ".repeat(20_000)}"}`,
    reached: (event) => event.type === "TOOL_CALL_DELTA" && event.delta.includes("word"),
    results: ["interrupted", "interrupted"],
  },
  "while a tool runs": {
    script: "/call look {}\n/say no",
    reached: of("TOOL_RESULT_START"),
    laterMs: 20,
    results: ["interrupted"],
  },
  "while a tool streams": {
    script: "/call look {}\n/say no",
    reached: of("TOOL_RESULT_TEXT_DELTA"),
    answer: endlessStream,
    results: ["interrupted"],
  },
  "while tools run in parallel": {
    script: "/call look {}\n/call look {}\n/call look {}\n/say no",
    reached: of("TOOL_RESULT_START"),
    laterMs: 20,
    results: ["interrupted", "interrupted", "interrupted"],
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
    laterMs: 20,
    results: ["interrupted", "interrupted"],
  },
  "in the model call that follows a tool": {
    script: "/call look {}\n/wait 86400000\n/say no",
    reached: of("TOOL_RESULT_END"),
    laterMs: 20,
    answer: () => new Response("found"),
    results: ["success"],
  },
};

type Way = (init: SessionInit, reply: Reply) => Promise<unknown>;

const WAYS: Readonly<Record<string, Way>> = {
  "POST …/interrupt": (init) => stubOf(init).act("interrupt", {}),
  USER_INTERRUPT: (init, { id }) => post(init, interruption(id)),
  "both at once, twice": (init, { id }) =>
    Promise.all([
      stubOf(init).act("interrupt", {}),
      post(init, interruption(id)),
      stubOf(init).act("interrupt", {}),
      post(init, interruption(id)),
    ]),
  "on_busy: interrupt": (init) =>
    stubOf(init).act("startReply", { input: "/say next", on_busy: "interrupt" }),
};

/** The tool's answer, as long as nobody stops it. */
async function withTool(answer: Stage["answer"], test: () => Promise<void>): Promise<void> {
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation((_, init) => {
    if (answer) return Promise.resolve(answer());
    const { signal } = init ?? {};
    return new Promise((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    });
  });
  try {
    await test();
  } finally {
    spy.mockRestore();
  }
}

function endlessStream(): Response {
  let sent = 0;
  const body = new ReadableStream({
    type: "bytes",
    async pull(controller) {
      await pauseMs(5);
      sent += 1;
      controller.enqueue(new TextEncoder().encode(`data: {"delta":"piece ${sent} "}\n\n`));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function interruptedAt(
  { script, reached, laterMs = 0, results }: Stage,
  interrupt: Way,
): Promise<void> {
  const init = await createdSession({ tools: [REFUND, LOOK, LABEL] });
  const started = await startReply(init, script);
  await readEvents(await openStream(init, `after=${started.cursor}`), reached);
  await pauseMs(laterMs);
  await interrupt(init, started);

  const all = await allEvents(init);
  const events = all.filter((event) => "reply_id" in event && event.reply_id === started.id);
  expectWellFormed(events);
  const stored = valueOf(await readMessage(init, started.id)).message;
  expect(JSON.stringify(foldEvents(events))).toBe(JSON.stringify(stored));
  expect(stored).toMatchObject({ finished_reason: "interrupted" });
  expect(
    stored.content.flatMap((block) => (block.type === "tool_result" ? [block.state] : [])),
  ).toEqual(results);
  await expectAcceptableContext(init);
  const next = await queueReply(init, "/say and on");
  expect((await readReply(init, next.id, 60_000)).status).toBe("completed");
}

describe.each(Object.entries(WAYS))("%s", (_, interrupt) => {
  for (const [rows, breadth] of sampled(Object.entries(STAGES), 6))
    it.each(rows)("ends a reply once %s", breadth, (_name, stage) =>
      withTool(stage.answer, () => interruptedAt(stage, interrupt)),
    );
});

describe("an interrupt", () => {
  it("before a tool's start is durable keeps the tool from being called at all", () =>
    withHeldSession({ tools: [LOOK] }, async ({ session, hold, release }) => {
      const spy = vi.spyOn(globalThis, "fetch");
      const gates = holdGates();
      const input = `${GATE}\n/call look {}\n/say no`;
      const { id } = valueOf(await session.queue.start({ input, on_busy: "reject" }));
      await waitFor(() => expect(session.active?.state.is_model_call_open).toBe(true));
      hold(true);
      gates.release();
      // The result's START is in the log; it is not on disk.
      await waitFor(() => expect(session.active?.state.message.content).toHaveLength(2));
      await pauseMs(50);
      const interrupting = session.runner.interrupt();
      hold(false);
      await release();
      await release();

      expect(await interrupting).toMatchObject({ reply: { id, status: "interrupted" } });
      expect(spy).not.toHaveBeenCalled();
      const events = [...session.log.events(0)].map(({ item }) => item);
      expectWellFormed(events);
      spy.mockRestore();
    }));

  it("while a recovered reply waits for its next attempt ends it, and the next one runs", async () => {
    const init = await createdSession();
    const started = await startReply(init, "/wait 60000\n/say late");
    await rowsOf(init, "UPDATE replies SET attempts = 5, attempts_without_progress = 5");
    for (let deaths = 0; deaths < 2; deaths += 1) {
      await abortAllDurableObjects();
      await readReply(init, started.id);
    }
    const [row] = await rowsOf(init, "SELECT status, not_before FROM replies");
    const { interrupted } = valueOf(await stubOf(init).act("interrupt", {}));

    expect(row).toMatchObject({ status: "running" });
    expect(Number(row?.["not_before"])).toBeGreaterThan(Date.now());
    expect(interrupted).toBe(true);
    const events = (await allEvents(init)).filter(
      (event) => "reply_id" in event && event.reply_id === started.id,
    );
    expectWellFormed(events);
    await expectAcceptableContext(init);
    const next = await queueReply(init, "/say and on");
    expect((await readReply(init, next.id, 60_000)).status).toBe("completed");
  });

  it("of a queue lets the next one begin, and of that one the one after", async () => {
    const init = await createdSession();
    const slow = "/rate 50\n/words 20000";
    const first = await startReply(init, slow);
    const [second, third] = [await queueReply(init, slow), await queueReply(init, "/say 3")];
    await stubOf(init).act("interrupt", {});
    await expect.poll(async () => valueOf(await stubOf(init).act("read")).reply_id).toBe(second.id);
    await stubOf(init).act("interrupt", {});
    await readReply(init, third.id, 60_000);

    expect(await repliesOf(init)).toEqual([
      [first.id, "interrupted"],
      [second.id, "interrupted"],
      [third.id, "completed"],
    ]);
  });

  it("on a session that was never used changes nothing, by either way", async () => {
    const init = await createdSession();
    const byRoute = valueOf(await stubOf(init).act("interrupt", {}));
    const byEvent = valueOf(await post(init, interruption("rep_0")));

    expect(byRoute).toEqual({ interrupted: false, reply: null });
    expect(byEvent).toEqual({ reply: null, cursor: 0, applied: false });
    expect(valueOf(await listEvents(init, { after: 0, limit: 10 })).data).toEqual([]);
  });
});
