// Calls that nobody answers in time.
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import {
  alarmOf,
  confirmation,
  LABEL,
  LOOK,
  makeDue,
  parkedSession,
  post,
  rowsOf,
  withTools,
} from "./parked.ts";
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

const TIMERS = "SELECT kind, id FROM timers WHERE kind = 'expiry'";

function expire(init: SessionInit): Promise<boolean> {
  return makeDue(init, "expiry").then(() => runDurableObjectAlarm(objectOf(init)));
}

describe("a confirmation that nobody gives", () => {
  it("ends in a denied call with a reason that the model sees, and the reply goes on", async () => {
    const { init, parked, call } = await parkedSession();
    await expire(init);
    const ended = await readReply(init, parked.id, 60_000);

    expect(ended.status).toBe("completed");
    expect(ended.message?.content[1]).toMatchObject({
      type: "tool_result",
      id: call.tool_call.id,
      state: "denied",
      output: [{ type: "text", text: expect.stringContaining("Nobody answered in time") }],
    });
    expect(await rowsOf(init, TIMERS)).toEqual([]);
    await expect.poll(() => alarmOf(init)).toBeNull();
  });

  it("waits as long as the agent says", async () => {
    const before = Date.now();
    const { init, call } = await parkedSession(undefined, { confirmation_ttl: 600 });
    const expiresAtMs = Date.parse(call.expires_at ?? "");

    expect(expiresAtMs).toBeGreaterThanOrEqual(before + 600_000);
    expect(expiresAtMs).toBeLessThanOrEqual(Date.now() + 600_000);
    await expect.poll(() => alarmOf(init)).toBe(expiresAtMs);
  });

  it("is denied with the others of its batch in one commit", async () => {
    const tools = ["refund", "pay"].map((name) => ({ ...LOOK, name, read_only: false }));
    const { init, parked } = await parkedSession("/call refund {}\n/call pay {}\n/say ok", {
      tools,
    });
    expect(parked.pending).toHaveLength(2);
    const rows = "SELECT count(*) AS n FROM events WHERE seq > ";
    await expire(init);
    const ended = await readReply(init, parked.id, 60_000);
    const ends = (await allEvents(init)).filter(({ type }) => type === "TOOL_RESULT_END");

    expect(ended.status).toBe("completed");
    expect(ends).toHaveLength(2);
    const [first, second] = ends.map(({ seq }) => seq);
    expect(await rowsOf(init, `${rows} ${first} AND seq < ${second}`)).toEqual([{ n: 0 }]);
  });

  it("is denied though its object was evicted meanwhile", async () => {
    const { init, parked } = await parkedSession();
    await evictDurableObject(objectOf(init));
    await expire(init);

    expect(await readReply(init, parked.id, 60_000)).toMatchObject({ status: "completed" });
  });

  it("is not given any more when its time is over, though the alarm is late", async () => {
    const { init, parked, call } = await parkedSession();
    await makeDue(init, "expiry");

    expect(await post(init, confirmation(parked.id, call))).toMatchObject({
      refusal: { code: "call_not_pending", extensions: { state: "finished" } },
    });
    expect(await readReply(init, parked.id, 60_000)).toMatchObject({ status: "completed" });
  });
});

describe("the alarm of a call that waits", () => {
  it("changes nothing when it comes early, twice or after the answer", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      const waiting = await allEvents(init);
      await runDurableObjectAlarm(objectOf(init));
      expect(await allEvents(init)).toEqual(waiting);
      expect(await alarmOf(init)).toBe(Date.parse(call.expires_at ?? ""));

      await post(init, confirmation(parked.id, call));
      const ended = await readReply(init, parked.id, 60_000);
      expect(await rowsOf(init, TIMERS)).toEqual([]);
      await runDurableObjectAlarm(objectOf(init));
      await runDurableObjectAlarm(objectOf(init));
      expect(await readReply(init, parked.id)).toEqual(ended);
      expect(calls).toHaveLength(1);
    }));

  it("is gone when the reply is interrupted", async () => {
    const { init } = await parkedSession();
    await stubOf(init).act("interrupt", {});

    expect(await rowsOf(init, TIMERS)).toEqual([]);
  });

  it("ends the call while another one runs, and the runner goes on with the rest", async () => {
    const slow = Promise.withResolvers<void>();
    await withTools(
      async () => {
        const tools = [LOOK, { ...LOOK, name: "refund", read_only: false }];
        const init = await createdSession({ tools });
        const started = await startReply(init, "/call refund {}\n/call look {}\n/say ok");
        await readEvents(
          await openStream(init, `after=${started.cursor}`),
          ({ type }) => type === "REQUIRE_USER_CONFIRM",
        );
        await expire(init);
        slow.resolve();
        const ended = await readReply(init, started.id, 60_000);

        expect(ended.status).toBe("completed");
        const results = ended.message?.content.filter(({ type }) => type === "tool_result");
        expect(results).toMatchObject([
          { name: "look", state: "success" },
          { name: "refund", state: "denied" },
        ]);
        expect(await rowsOf(init, "SELECT epoch FROM replies")).toEqual([{ epoch: 1 }]);
      },
      async () => {
        await slow.promise;
        return new Response("seen");
      },
    );
  });
});

describe("a result that nobody brings", () => {
  it("ends in an error when the tool has a deadline", async () => {
    const { init, parked, call } = await parkedSession("/call label {}\n/say never mind", {
      tools: [{ ...LABEL, result_ttl: 60 }],
    });
    expect(call.expires_at).not.toBeNull();
    await expire(init);

    expect((await readReply(init, parked.id, 60_000)).message?.content[1]).toMatchObject({
      type: "tool_result",
      state: "error",
    });
  });

  it("is waited for without an alarm when the tool has none", async () => {
    const { init, call } = await parkedSession("/call label {}\n/say never mind");

    expect(call.expires_at).toBeNull();
    await expect.poll(() => alarmOf(init)).toBeNull();
  });
});
