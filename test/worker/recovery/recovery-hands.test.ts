// Writers of a reply that changes hands, and waits for an answer while its object is lost.
import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import { FencedError } from "../../../agent/ports.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import { postEvent } from "../../../durable-objects/acts/events.ts";
import { ReplyLog } from "../../../durable-objects/replies/reply-log.ts";
import { ReplyRunner } from "../../../durable-objects/replies/reply-runner.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { waitFor } from "../../support/wait-for.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { withHeldSession, type HeldSession, wokenSession } from "../sessions/held-session.ts";
import {
  confirmation,
  KEY,
  makeDue,
  parkedSession,
  post,
  REFUND,
  rowsOf,
  withTools,
} from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  openStream,
  readEvents,
  readReply,
  startReply,
  valueOf,
} from "../sessions/session.ts";

const ASKING = { tools: [REFUND] };
const SCRIPT = "/call refund {}\n/say done";

/** The session as its next object finds it, while nothing that the last one does gets any further. */
function nextIncarnation({ session, state }: HeldSession): Promise<OpenSession> {
  return wokenSession(state, session.init);
}

describe("a runner whose reply was taken over", () => {
  it("can write nothing more, and the reply is told once", () =>
    withHeldSession({}, async ({ session, state }) => {
      const gates = holdGates();
      const input = `/rate 100\n/words 20\n${GATE}`;
      const { id } = valueOf(await session.queue.start({ input, on_busy: "reject" }));
      await waitFor(() => expect(session.active?.state.message.content).toHaveLength(1));
      const reply = session.active!;
      const zombie = new ReplyLog(session, reply);
      const reply_id = id;
      new ReplyRunner(session, {
        env: { ...env, ENVIRONMENT: "local" },
        inBackground: (work) => state.waitUntil(work),
      }).recover(reply);

      const text = { type: "TEXT_BLOCK_DELTA", reply_id, block_id: "b", delta: "late" } as const;
      expect(() =>
        zombie.append([{ type: "MODEL_CALL_START", reply_id, model_name: "m" }]),
      ).toThrow(FencedError);
      expect(() => zombie.appendDelta(text)).toThrow(FencedError);
      expect(() => zombie.noteFailedTry(1)).toThrow(FencedError);
      expect(() => zombie.park("awaiting_permission")).toThrow(FencedError);
      gates.release();
      const ended = valueOf(await session.queue.read(id, 60_000));
      const events = [...session.log.events(0)].map(({ item }) => item);
      expect(ended).toMatchObject({ status: "completed" });
      expect(foldEvents(events)).toEqual(ended.message);
      expect(events.filter(({ type }) => type === "MODEL_CALL_START")).toHaveLength(2);
      expect(events.filter(({ type }) => type === "REPLY_END")).toHaveLength(1);
    }));
});

describe("the watch", () => {
  it("leaves a reply alone that has its runner", async () => {
    const init = await createdSession();
    const { id } = await startReply(init, "/rate 100\n/words 20");
    await readEvents(await openStream(init, "after=0"), ({ type }) => type === "TEXT_BLOCK_DELTA");
    await makeDue(init, "watch");
    await runDurableObjectAlarm(objectOf(init));
    await makeDue(init, "watch");
    await runDurableObjectAlarm(objectOf(init));
    await readReply(init, id, 60_000);

    const events = await allEvents(init);
    expect(events.filter(({ type }) => type === "MODEL_CALL_START")).toHaveLength(1);
    expect(await rowsOf(init, "SELECT epoch, attempts FROM replies")).toEqual([
      { epoch: 1, attempts: 0 },
    ]);
  });

  it("does not look at a reply that waits for somebody, and a crash says nothing about it", async () => {
    const { init, parked } = await parkedSession();
    const before = await allEvents(init);
    await abortAllDurableObjects();

    expect(await readReply(init, parked.id)).toEqual(parked);
    expect(await allEvents(init)).toEqual(before);
    expect(await rowsOf(init, "SELECT status, epoch, attempts FROM replies")).toEqual([
      { status: "awaiting_permission", epoch: 1, attempts: 0 },
    ]);
    await expect
      .poll(() => rowsOf(init, "SELECT kind FROM timers WHERE kind = 'watch'"))
      .toEqual([]);
  });
});

describe("going on after a yes", () => {
  it("runs the tool once when the object is lost after the answer and before the tool's start", () =>
    withTools((calls) =>
      withHeldSession(ASKING, async (held) => {
        const { session, hold } = held;
        const { id } = valueOf(await session.queue.start({ input: SCRIPT, on_busy: "reject" }));
        const { pending } = valueOf(await session.queue.read(id, 60_000));
        await session.log.settled();
        hold(true);
        void postEvent(session, confirmation(id, pending[0]!) as never, KEY);
        const next = await nextIncarnation(held);
        const reply = valueOf(await next.queue.read(id, 60_000));

        expect(reply).toMatchObject({ status: "completed" });
        expect(calls).toHaveLength(1);
        const events = [...next.log.events(0)].map(({ item }) => item);
        expect(events.filter(({ type }) => type === "USER_CONFIRM_RESULT")).toHaveLength(1);
        expect(events.filter(({ type }) => type === "TOOL_RESULT_START")).toHaveLength(1);
        expect(foldEvents(events)).toEqual(reply.message);
        closeSession(next);
      }),
    ));

  it("says that the outcome is unknown when the object is lost after the tool's start was written", () =>
    withTools((calls) =>
      withHeldSession(ASKING, async (held) => {
        const { session, hold, release } = held;
        const { id } = valueOf(await session.queue.start({ input: SCRIPT, on_busy: "reject" }));
        const { pending } = valueOf(await session.queue.read(id, 60_000));
        await session.log.settled();
        hold(true);
        void postEvent(session, confirmation(id, pending[0]!) as never, KEY);
        await release();
        await waitFor(() =>
          expect(session.active?.state.message.content.at(-1)?.type).toBe("tool_result"),
        );
        const next = await nextIncarnation(held);
        const reply = valueOf(await next.queue.read(id, 60_000));

        expect(reply).toMatchObject({ status: "completed" });
        expect(reply.message?.content[1]).toMatchObject({
          state: "error",
          metadata: { outcome: "unknown" },
        });
        expect(calls).toEqual([]);
        closeSession(next);
      }),
    ));

  it(
    "keeps the answer when the object is lost at any later moment, and never runs the tool twice",
    BROAD,
    () =>
      withTools(async (calls) => {
        for (const delayMs of [0, 1, 2, 5, 10]) {
          const { init, parked, call } = await parkedSession();
          const before = calls.length;
          valueOf(await post(init, confirmation(parked.id, call)));
          await new Promise((resolve) => setTimeout(resolve, delayMs));
          await abortAllDurableObjects();
          const reply = await readReply(init, parked.id, 60_000);

          expect(reply).toMatchObject({ status: "completed", pending: [] });
          expect(calls.length - before).toBeLessThanOrEqual(1);
          const [result] = (reply.message?.content ?? []).filter(
            ({ type }) => type === "tool_result",
          );
          const isKnown = result?.type === "tool_result" && result.state === "success";
          expect(isKnown && calls.length === before).toBe(false);
        }
      }),
  );
});
