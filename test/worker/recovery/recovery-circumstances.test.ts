// Circumstances that a lost reply finds again beside its log: the trace that it belongs to, and a clock that may have
// been set back meanwhile.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { RECOVERY_BACK_OFF_MAX_MS } from "../../../protocol/replies/limits.ts";
import {
  alarmOf,
  confirmation,
  KEY,
  LOOK,
  makeDue,
  parkedSession,
  rowsOf,
  withTools,
} from "../confirmations/parked.ts";
import {
  createdSession,
  objectOf,
  readReply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

const SAFE = { ...LOOK, name: "safe", idempotent: true };
const STARTED = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
const ANSWERED = {
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  tracestate: "vendor=1",
};

/** A tool whose first request is never answered, and each further one at once. */
function firstHangs(): () => Promise<Response> {
  let asked = 0;
  return async () => {
    asked += 1;
    if (asked === 1) await new Promise(() => {});
    return new Response("made");
  };
}

function tracesOf(calls: readonly { readonly headers: Readonly<Record<string, string>> }[]) {
  return calls.map(({ headers: { traceparent, tracestate } }) => ({
    traceparent,
    ...(tracestate !== undefined && { tracestate }),
  }));
}

describe("a recovered reply", () => {
  it("goes on in the trace of the request that started it", () =>
    withTools(async (calls) => {
      const init = await createdSession({ tools: [SAFE] });
      const start = {
        input: "/call safe {}\n/say Well.",
        on_busy: "reject",
      } as const;
      const { id } = valueOf(await stubOf(init).act("startReply", start, { trace: STARTED }));
      await expect.poll(() => calls.length).toBe(1);
      await abortAllDurableObjects();
      await readReply(init, id, 60_000);

      expect(tracesOf(calls)).toEqual([STARTED, STARTED]);
    }, firstHangs()));

  it("goes on in the trace of the answer that it went on with", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession(
        "/call refund {}\n/call safe {}\n/say ok",
        {
          tools: [{ ...SAFE, name: "refund", read_only: false }],
        },
      );
      const answer = confirmation(parked.id, call);
      valueOf(await stubOf(init).act("postEvent", answer, { actor: KEY, trace: ANSWERED }));
      await expect.poll(() => calls.length).toBe(1);
      await abortAllDurableObjects();
      await readReply(init, parked.id, 60_000);

      expect(tracesOf(calls)).toEqual([ANSWERED, ANSWERED]);
    }, firstHangs()));

  it("that was queued goes on in the trace of the request that queued it", () =>
    withTools(async (calls) => {
      const init = await createdSession({ tools: [SAFE] });
      await startReply(init, "/wait 100\n/say one");
      const start = {
        input: "/call safe {}\n/say Well.",
        on_busy: "queue",
      } as const;
      const { id } = valueOf(await stubOf(init).act("startReply", start, { trace: STARTED }));
      await expect.poll(() => calls.length).toBe(1);
      await abortAllDurableObjects();
      await readReply(init, id, 60_000);

      expect(tracesOf(calls)).toEqual([STARTED, STARTED]);
    }, firstHangs()));

  it("of no trace has none", () =>
    withTools(async (calls) => {
      const init = await createdSession({ tools: [SAFE] });
      const { id } = await startReply(init, "/call safe {}\n/say Well.");
      await expect.poll(() => calls.length).toBe(1);
      await abortAllDurableObjects();
      await readReply(init, id, 60_000);

      expect(tracesOf(calls)).toEqual([{ traceparent: undefined }, { traceparent: undefined }]);
    }, firstHangs()));
});

describe("a clock that was set back by a day", () => {
  const DAY_MS = 86_400_000;

  /** Lost, with a wait that was written before the clock was set back. */
  async function lostReply(column: "retry_at" | "not_before"): Promise<SessionInit> {
    const init = await createdSession();
    await startReply(init, "/rate 50\n/words 20000");
    const laterMs = Date.now() + DAY_MS;
    await rowsOf(init, `UPDATE replies SET ${column} = ${laterMs}`);
    await rowsOf(init, `UPDATE timers SET due_at = ${laterMs}`);
    await runInDurableObject(objectOf(init), (_, { storage }) => storage.setAlarm(laterMs));
    await abortAllDurableObjects();
    return init;
  }

  it.each(["retry_at", "not_before"] as const)(
    "makes a reply wait no longer than the longest back-off (%s)",
    async (column) => {
      const init = await lostReply(column);
      const latestMs = Date.now() + 2 * RECOVERY_BACK_OFF_MAX_MS;
      await stubOf(init).act("read");

      const [row] = await rowsOf(init, "SELECT not_before FROM replies");
      expect(row?.["not_before"]).toSatisfy((atMs: number) => atMs > Date.now() && atMs < latestMs);
      expect(await alarmOf(init)).toBeLessThan(latestMs);
    },
  );

  it("does not begin the wait anew with each look", async () => {
    const init = await lostReply("not_before");
    await stubOf(init).act("read");
    const before = await rowsOf(init, "SELECT not_before FROM replies");
    await abortAllDurableObjects();
    await makeDue(init, "watch");
    await runDurableObjectAlarm(objectOf(init));

    expect(await rowsOf(init, "SELECT not_before FROM replies")).toEqual(before);
  });
});
