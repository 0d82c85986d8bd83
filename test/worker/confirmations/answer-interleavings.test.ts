// Answers at moments that no client can choose: between a write and the disk, and at random ones.
import { describe, expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import { postEvent } from "../../../durable-objects/acts/events.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { waitFor } from "../../support/wait-for.ts";
import { pauseMs, withHeldSession, within, type HeldSession } from "../sessions/held-session.ts";
import { confirmation, interruption, KEY, makeDue, post, REFUND, withTools } from "./parked.ts";
import {
  allEvents,
  createdSession,
  readReply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

/** A parked reply whose answer is written, but not on disk: what `test` does comes in between. */
function betweenAnswerAndDisk(
  test: (held: HeldSession & { id: string; posted: ReturnType<typeof postEvent> }) => Promise<void>,
): Promise<void> {
  return withHeldSession({ tools: [REFUND] }, async (held) => {
    const { session, hold } = held;
    const input = "/call refund {}\n/say done";
    const { id } = valueOf(await session.queue.start({ input, on_busy: "reject" }));
    const { pending } = valueOf(await session.queue.read(id, 60_000));
    hold(true);
    const [call] = pending;
    if (!call) throw new Error("nothing waits");
    await test({ ...held, id, posted: postEvent(session, confirmation(id, call), KEY) });
  });
}

describe("an answer that is not on disk yet", () => {
  it("lets nothing run when an interrupt comes before it is", () =>
    withTools((calls) =>
      betweenAnswerAndDisk(async ({ session, id, posted, hold, release }) => {
        const interrupted = session.runner.interrupt();
        hold(false);
        await release();
        await pauseMs(20);

        expect(valueOf(await posted)).toMatchObject({ applied: true });
        expect((await interrupted).reply).toMatchObject({ id, status: "interrupted" });
        expect(calls).toEqual([]);
      }),
    ));

  it("lets nothing run when the session is closed before it is", () =>
    withTools((calls) =>
      betweenAnswerAndDisk(async ({ session, posted, hold, release }) => {
        closeSession(session);
        hold(false);
        await release();
        await pauseMs(20);

        expect(await posted).toMatchObject({ refusal: { code: "not_found" } });
        expect(calls).toEqual([]);
      }),
    ));

  it("is the only one: another in other words is refused at once", () =>
    withTools((calls) =>
      betweenAnswerAndDisk(async ({ session, id, posted, hold, release }) => {
        const content = session.openReply?.state.message.content ?? [];
        const [tool_call] = content.filter((block) => block.type === "tool_call");
        if (!tool_call) throw new Error("no call");
        const no = postEvent(session, confirmation(id, { tool_call }, { confirmed: false }), KEY);
        expect(await within(no, 60_000)).toMatchObject({ refusal: { code: "confirmation_used" } });
        hold(false);
        await release();

        expect(valueOf(await posted)).toMatchObject({ applied: true });
        expect(valueOf(await session.queue.read(id, 60_000))).toMatchObject({
          status: "completed",
        });
        expect(calls).toHaveLength(1);
      }),
    ));
});

describe("an answer to a question that is not on disk yet", () => {
  it("is taken, told when both are on disk, and leaves no reader waiting", () =>
    withTools(async (calls) =>
      withHeldSession({ tools: [REFUND] }, async ({ session, hold, release }) => {
        const input = "/wait 30\n/call refund {}\n/say done";
        const { id } = valueOf(await session.queue.start({ input, on_busy: "reject" }));
        hold(true);
        await waitFor(() => expect(session.openReply?.status).toBe("awaiting_permission"));
        const [tool_call] = (session.openReply?.state.message.content ?? []).filter(
          (block) => block.type === "tool_call",
        );
        if (!tool_call) throw new Error("no call");
        const reading = session.queue.read(id, 0);
        const posted = postEvent(session, confirmation(id, { tool_call }), KEY);
        expect([await within(posted, 20), await within(reading, 1)]).toEqual([
          "pending",
          "pending",
        ]);
        hold(false);
        await release();

        expect(valueOf(await posted)).toMatchObject({
          applied: true,
          reply: { status: "running" },
        });
        expect(valueOf(await reading)).toMatchObject({ id, status: "running" });
        expect(valueOf(await session.queue.read(id, 60_000))).toMatchObject({
          status: "completed",
        });
        expect(calls).toHaveLength(1);
      }),
    ));
});

describe("a reply that is answered from all sides", () => {
  it("runs each call at most once and ends well-formed, whatever comes when", BROAD, async () => {
    const random = seededRandom(11);
    await withTools(
      async (calls) => {
        for (let round = 0; round < 16; round += 1) {
          const tools = ["refund", "pay"].map((name) => ({
            ...REFUND,
            name,
            concurrency_safe: round % 2 === 0,
          }));
          const init = await createdSession({ tools });
          const made = calls.length;
          const { id } = await startReply(init, "/call refund {}\n/call pay {}\n/say done");
          for (let step = 0; step < 40; step += 1) {
            const { pending, status } = valueOf(await stubOf(init).act("read"));
            if (status === "idle") break;
            const call = pending[Math.floor(random() * pending.length)];
            const roll = random();
            if (call && roll < 0.5) {
              const confirmed = random() < 0.7;
              const given = confirmation(id, call, { confirmed });
              await Promise.all([post(init, given), post(init, given)]);
            } else if (call && roll < 0.6) {
              await makeDue(init, "expiry");
            } else if (roll > 0.97) {
              await post(init, interruption(id));
            }
            await pauseMs(random() * 6);
          }
          await post(init, interruption(id));
          const ended = await readReply(init, id);
          const events = await allEvents(init);
          const started = events.filter(
            (event) => event.type === "TOOL_RESULT_START" && event.metadata?.["decision"] == null,
          );

          expect(["completed", "interrupted"]).toContain(ended.status);
          expect(JSON.stringify(foldEvents(events))).toBe(JSON.stringify(ended.message));
          const results = ended.message?.content.filter(({ type }) => type === "tool_result");
          const blocks = ended.message?.content.filter(({ type }) => type === "tool_call");
          expect(results?.map((block) => block.id).sort()).toEqual(
            blocks?.map((block) => block.id).sort(),
          );
          expect(calls.length - made).toBeLessThanOrEqual(started.length);
          expect(calls.length - made).toBeLessThanOrEqual(2);
          expect(events.filter(({ type }) => type === "REPLY_END")).toHaveLength(1);
        }
      },
      async () => {
        await pauseMs(random() * 10);
        return new Response("made");
      },
    );
  });
});
