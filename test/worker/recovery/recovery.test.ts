// Replies whose object is lost in the middle of something, and what becomes of them.
import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { appendEvent, foldEvents } from "../../../protocol/fold/append-event.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { DELTA_COMMIT_MS } from "../../../protocol/events/limits.ts";
import { MODEL_RETRY_MAX_MS, MODEL_RETRY_MS } from "../../../protocol/models/limits.ts";
import { GATE, GATE_MS, holdGates, holdTimers } from "../support/held-timers.ts";
import { LOOK, makeDue, REFUND, rowsOf, withTools } from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  openStream,
  readEvents,
  readReply,
  startReply,
  stubOf,
} from "../sessions/session.ts";
import { BROAD } from "../../support/breadth.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly effectServerUrl: string;
  }
}

const PAY = { ...REFUND, name: "pay", read_only: true, concurrency_safe: true };
const SAFE = { ...LOOK, name: "safe", idempotent: true };

/** Reads until an event of a type has come, as a client that is connected does. */
async function seenUntil(init: SessionInit, type: string): Promise<readonly LoggedEvent[]> {
  return readEvents(await openStream(init, "after=0"), (event) => event.type === type);
}

/** A tool whose first request is never answered, and each further one at once. */
function firstHangs(): () => Promise<Response> {
  let asked = 0;
  return async () => {
    asked += 1;
    if (asked === 1) await new Promise(() => {});
    return new Response("made");
  };
}

describe("a reply that streams text", () => {
  it("is taken back and made again, for a reader who holds what the crash has lost", async () => {
    // Nothing of the text reaches the disk before its machine is lost.
    const timers = holdTimers((delayMs) => delayMs === GATE_MS || delayMs === DELTA_COMMIT_MS);
    const init = await createdSession();
    const { id } = await startReply(init, `/rate 100\n/think Let me see.\n/words 60\n${GATE}`);
    const held = await readEvents(await openStream(init, "after=0"), ({ seq }) => seq > 30);
    const last = held.at(-1)!;
    await abortAllDurableObjects();
    timers.release();

    const rest = await readEvents(await openStream(init, `after=${last.seq}`));
    const reply = await readReply(init, id, 60_000);

    expect(rest.slice(0, 4)).toMatchObject([
      { type: "CUSTOM", name: "reply_recovered", reply_id: id },
      { type: "TEXT_BLOCK_END", text: "" },
      { type: "MODEL_CALL_END", finished_reason: "interrupted" },
      { type: "MODEL_CALL_START" },
    ]);
    expect(reply).toMatchObject({ status: "completed", error: null });
    expect(reply.message?.content.map(({ type }) => type)).toEqual(["thinking", "text"]);
    expect(getTextContent(reply.message!)?.split(" ")).toHaveLength(60);
    expect(rest.reduce(appendEvent, foldEvents(held)!)).toEqual(reply.message);
    expect(foldEvents(await allEvents(init))).toEqual(reply.message);
  });

  it("reaches its end with nobody asking: the alarm alone wakes its object", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const { id } = await startReply(init, `/words 20\n${GATE}`);
    await seenUntil(init, "TEXT_BLOCK_DELTA");
    await abortAllDurableObjects();
    gates.release();
    await runDurableObjectAlarm(objectOf(init));

    await expect
      .poll(() => rowsOf(init, `SELECT status, epoch, attempts FROM replies WHERE id = '${id}'`))
      .toEqual([{ status: "completed", epoch: 2, attempts: 1 }]);
  });

  it("is recovered as often as it is lost, and nothing is taken back twice", BROAD, async () => {
    const gates = holdGates();
    const init = await createdSession();
    const { id } = await startReply(init, `/rate 100\n/words 30\n${GATE}`);
    for (let crashes = 0; crashes < 3; crashes += 1) {
      const { cursor } = await readReply(init, id);
      const seen = await readEvents(
        await openStream(init, `after=${cursor}`),
        ({ type }) => type === "TEXT_BLOCK_DELTA",
      );
      expect(seen.at(-1)?.type).toBe("TEXT_BLOCK_DELTA");
      await abortAllDurableObjects();
      // The second restart and later ones wait, which is not what this is about.
      await readReply(init, id);
      await runNow(init);
    }
    gates.release();
    const reply = await readReply(init, id, 60_000);

    const events = await allEvents(init);
    const discarded = events.flatMap((event) =>
      event.type === "CUSTOM" && event.name === "reply_recovered"
        ? (event.value["discard_block_ids"] as string[])
        : [],
    );
    expect(discarded).toHaveLength(3);
    expect(new Set(discarded).size).toBe(3);
    expect(foldEvents(events)).toEqual(reply.message);
    expect(reply.status).toBe("completed");
  });
});

describe("a tool that was running", () => {
  const script = "/call pay {}\n/say Well.";

  it("is not run again, and the model is told that its outcome is unknown", () =>
    withTools(async (calls) => {
      const init = await createdSession({ tools: [PAY] });
      const { id } = await startReply(init, script);
      await expect.poll(() => calls.length).toBe(1);
      await abortAllDurableObjects();
      const reply = await readReply(init, id, 60_000);

      expect(reply).toMatchObject({ status: "completed" });
      expect(calls).toHaveLength(1);
      const text = expect.stringContaining("outcome is unknown");
      expect(reply.message?.content).toMatchObject([
        { type: "tool_call", state: "finished" },
        {
          type: "tool_result",
          state: "error",
          output: [{ text }],
          metadata: { outcome: "unknown" },
        },
        { type: "text", text: "Well." },
      ]);
    }, firstHangs()));

  it("is run again when it is idempotent, with the same key and without a second START", () =>
    withTools(async (calls) => {
      const init = await createdSession({ tools: [SAFE] });
      const { id } = await startReply(init, script.replace("pay", "safe"));
      await expect.poll(() => calls.length).toBe(1);
      await abortAllDurableObjects();
      const reply = await readReply(init, id, 60_000);

      const keys = calls.map(({ headers }) => headers["idempotency-key"]);
      const events = await allEvents(init);
      const started = events.flatMap((event) =>
        event.type === "TOOL_RESULT_START" ? [`${init.session_id}:${event.tool_call_id}`] : [],
      );
      expect(started).toHaveLength(1);
      expect(keys).toEqual([...started, ...started]);
      expect(reply.message?.content[1]).toMatchObject({
        state: "success",
        output: [{ text: "made" }],
      });
      expect(foldEvents(events)).toEqual(reply.message);
    }, firstHangs()));

  it("beside others is decided for itself", () =>
    withTools(
      async (calls) => {
        const init = await createdSession({ tools: [PAY, SAFE, LOOK] });
        const { id } = await startReply(
          init,
          "/call look {}\n/call pay {}\n/call safe {}\n/say Well.",
        );
        await expect.poll(() => calls.length).toBe(3);
        await seenUntil(init, "TOOL_RESULT_END");
        await abortAllDurableObjects();
        const { message } = await readReply(init, id, 60_000);

        expect(calls.map(({ url }) => url)).toHaveLength(4);
        expect(
          message?.content.flatMap((block) =>
            block.type === "tool_result" ? [[block.name, block.state]] : [],
          ),
        ).toEqual([
          ["look", "success"],
          ["pay", "error"],
          ["safe", "success"],
        ]);
      },
      (() => {
        let asked = 0;
        return async () => {
          asked += 1;
          if (asked === 2 || asked === 3) await new Promise(() => {});
          return new Response("made");
        };
      })(),
    ));

  it("that hangs again ends by its time limit", async () => {
    const hanging = {
      ...SAFE,
      url: `${inject("effectServerUrl")}/safe`,
      headers: { "x-hang": "1" },
      timeout_ms: 1_000,
    };
    const init = await createdSession({ tools: [hanging] });
    const { id } = await startReply(init, "/call safe {}\n/say Well.");
    await seenUntil(init, "TOOL_RESULT_START");
    await abortAllDurableObjects();
    const { status, message } = await readReply(init, id, 60_000);

    expect(status).toBe("completed");
    expect(message?.content[1]).toMatchObject({
      state: "error",
      output: [{ text: "The tool did not answer within 1000 ms." }],
    });
  });
});

describe("right after a restart", () => {
  const recovered = { type: "CUSTOM", name: "reply_recovered" };

  it("an interrupt comes after what is taken back", async () => {
    const init = await createdSession();
    const { id } = await startReply(init, "/rate 50\n/words 20000");
    const seen = await seenUntil(init, "TEXT_BLOCK_DELTA");
    await abortAllDurableObjects();
    await stubOf(init).act("interrupt", {});

    const after = (await allEvents(init)).filter(({ seq }) => seq > seen.at(-1)!.seq);
    expect(after.find(({ type }) => !type.endsWith("_DELTA"))).toMatchObject(recovered);
    expect(after.at(-1)).toMatchObject({ type: "REPLY_END", finished_reason: "interrupted" });
    expect(await readReply(init, id)).toMatchObject({ status: "interrupted" });
  });

  it.each([
    ["attempts", "attempts_without_progress = 10", "internal"],
    ["attempts", "attempts = 100", "internal"],
    ["time", "run_ms = 7200000", "unknown"],
  ])("a spent budget of %s (%s) ends the reply after it", async (budget, spent, type) => {
    const init = await createdSession();
    const { id } = await startReply(init, "/rate 50\n/words 20000");
    await seenUntil(init, "TEXT_BLOCK_DELTA");
    await rowsOf(init, `UPDATE replies SET ${spent}`);
    await abortAllDurableObjects();
    const reply = await readReply(init, id, 60_000);

    expect(reply).toMatchObject({ status: "error", error: { type } });
    const events = await allEvents(init);
    const at = events.findIndex(
      (event) => event.type === "CUSTOM" && event.name === "reply_recovered",
    );
    expect(events.slice(at).map((event) => event.type)).toEqual([
      "CUSTOM",
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
    expect(events.at(-1)?.metadata).toEqual({ budget });
    expect(foldEvents(events)).toEqual(reply.message);
  });
});

describe("a back-off between two restarts", () => {
  async function waitingReply() {
    const gates = holdGates();
    const init = await createdSession();
    const { id } = await startReply(init, `/words 20\n${GATE}`);
    await seenUntil(init, "TEXT_BLOCK_DELTA");
    await rowsOf(init, "UPDATE replies SET attempts = 5, attempts_without_progress = 5");
    const lostAtMs = Date.now();
    await abortAllDurableObjects();
    await readReply(init, id);
    return { init, id, lostAtMs, gates };
  }

  it("is on disk, and a crash in it is not counted", async () => {
    const { init, id, lostAtMs } = await waitingReply();
    const before = await rowsOf(init, "SELECT attempts, not_before FROM replies");
    await abortAllDurableObjects();
    await readReply(init, id);

    expect(await rowsOf(init, "SELECT attempts, not_before FROM replies")).toEqual(before);
    expect(before).toEqual([{ attempts: 6, not_before: expect.any(Number) }]);
    expect(Number(before[0]?.["not_before"])).toBeGreaterThan(lostAtMs + 5_000);
  });

  it("ends with an interrupt, for a reader too", async () => {
    const { init, id } = await waitingReply();
    const reading = openStream(init, "after=0").then((response) => readEvents(response));
    await stubOf(init).act("interrupt", {});

    expect((await reading).at(-1)).toMatchObject({ finished_reason: "interrupted" });
    expect(await readReply(init, id)).toMatchObject({ status: "interrupted" });
  });

  it("is over when its time has come", async () => {
    const { init, id, gates } = await waitingReply();
    gates.release();
    await runNow(init);

    expect(await readReply(init, id, 60_000)).toMatchObject({ status: "completed" });
    expect(await rowsOf(init, "SELECT attempts, not_before FROM replies")).toEqual([
      { attempts: 6, not_before: null },
    ]);
  });
});

describe("the failed tries of a model call", () => {
  it("are counted on after a crash, and the wait before the next one is kept", async () => {
    // The first wait never ends.
    holdTimers((delayMs) => delayMs >= MODEL_RETRY_MS / 2);
    const init = await createdSession();
    const { id } = await startReply(init, "/fail upstream");
    await expect
      .poll(() => rowsOf(init, "SELECT failed_tries FROM replies"))
      .toEqual([{ failed_tries: 1 }]);
    const retryAt = Date.now() + MODEL_RETRY_MAX_MS;
    await rowsOf(init, `UPDATE replies SET failed_tries = 3, retry_at = ${retryAt}`);
    await abortAllDurableObjects();
    await readReply(init, id);

    expect(await rowsOf(init, "SELECT attempts, not_before FROM replies")).toEqual([
      { attempts: 1, not_before: retryAt },
    ]);
    await runNow(init);
    expect(await readReply(init, id, 60_000)).toMatchObject({
      status: "error",
      error: { type: "upstream" },
    });
    const calls = (await allEvents(init)).filter(({ type }) => type === "MODEL_CALL_START");
    expect(calls).toHaveLength(2);
    expect(await rowsOf(init, "SELECT failed_tries FROM replies")).toEqual([{ failed_tries: 3 }]);
  });
});

describe("a budget of time", () => {
  it("ends a reply that still runs when it is spent", async () => {
    const init = await createdSession({ budget: { max_seconds: 1 } });
    const { id } = await startReply(init, "/rate 50\n/words 20000");

    expect(await readReply(init, id, 60_000)).toMatchObject({
      status: "error",
      error: { type: "unknown", message: "The reply has run for as long as it may." },
    });
    expect((await allEvents(init)).at(-1)).toMatchObject({ metadata: { budget: "time" } });
  });
});

/** Lets a back-off be over. */
async function runNow(init: SessionInit): Promise<void> {
  await rowsOf(init, "UPDATE replies SET not_before = 1 WHERE not_before IS NOT NULL");
  await makeDue(init, "watch");
  await runDurableObjectAlarm(objectOf(init));
}
