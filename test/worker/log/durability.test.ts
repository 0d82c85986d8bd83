// The time between the write of an event and the moment at which it is on disk.
import { describe, expect, it, vi } from "vitest";

import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import type { Result } from "../../../protocol/errors.ts";
import { listMessages, readMessage } from "../../../durable-objects/sessions/session-pages.ts";
import { foldEvents, appendEvent } from "../../../protocol/fold/append-event.ts";
import type { MessagePage, StoredMessage } from "../../../protocol/sessions/contract.ts";
import { waitFor } from "../../support/wait-for.ts";
import { pauseMs, withHeldSession, within } from "../sessions/held-session.ts";
import { answerOf } from "./read-frames.ts";

function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.refusal.detail);
  return result.value;
}

const REFUND = { type: "http", name: "refund", url: "https://tools.example/refund" };

describe("between write and disk", () => {
  it("a waiter hears of a reply's end although the next reply starts before that end is on disk", () =>
    withHeldSession({}, async ({ session, hold, release }) => {
      const first = valueOf(
        await session.queue.start({ input: "/wait 30\n/say one", on_busy: "reject" }),
      );
      const waiting = session.queue.read(first.id, 120_000);
      hold(true);
      await waitFor(() => expect(session.isRunning).toBe(false));
      const second = session.queue.start({ input: "/say two", on_busy: "reject" });
      await pauseMs(20);
      hold(false);
      await release();
      await second;

      const heard = await within(waiting, 60_000);
      expect(heard).toMatchObject({
        ok: true,
        value: { status: "completed", message: { finished_reason: "completed" } },
      });
    }));

  it("reading messages never hangs although the next reply starts before the last end is on disk", () =>
    withHeldSession({}, async ({ session, hold, release }) => {
      await session.queue.start({ input: "/wait 30\n/say one", on_busy: "reject" });
      hold(true);
      await waitFor(() => expect(session.isRunning).toBe(false));
      const listing = listMessages(session, { limit: 10 });
      const second = session.queue.start({ input: "/say two", on_busy: "reject" });
      await pauseMs(20);
      hold(false);
      await release();
      await second;

      expect(await within(listing, 60_000)).not.toBe("pending");
    }));

  it("an interrupt answers with the ended message although another reply starts meanwhile", () =>
    withHeldSession({}, async ({ session, hold, release }) => {
      await session.queue.start({ input: "/rate 50\n/words 20000", on_busy: "reject" });
      await pauseMs(50);
      hold(true);
      const interrupting = session.runner.interrupt();
      const second = session.queue.start({ input: "/say two", on_busy: "reject" });
      await pauseMs(20);
      hold(false);
      await release();
      await second;

      expect(await interrupting).toMatchObject({
        reply: { status: "interrupted", message: { finished_reason: "interrupted" } },
      });
    }));

  it("a parked reply that is interrupted is never shown as interrupted with its old message", () =>
    withHeldSession({ tools: [REFUND] }, async ({ session, hold, release }) => {
      const { id } = valueOf(
        await session.queue.start({ input: "/call refund {}\n/say no", on_busy: "reject" }),
      );
      await session.queue.read(id, 60_000);
      hold(true);
      const interrupting = session.runner.interrupt();
      const reading = session.queue.read(id, 0);
      await pauseMs(20);
      await release();
      await interrupting;

      const { status, message } = valueOf(await reading);
      expect([status, message?.finished_reason]).toEqual(
        status === "interrupted" ? ["interrupted", "interrupted"] : ["awaiting_permission", null],
      );
    }));

  it("messages and their cursor agree while a parked reply is being interrupted", () =>
    withHeldSession({ tools: [REFUND] }, async ({ session, hold, release }) => {
      const { id } = valueOf(
        await session.queue.start({ input: "/call refund {}\n/say no", on_busy: "reject" }),
      );
      await session.queue.read(id, 60_000);
      hold(true);
      const interrupting = session.runner.interrupt();
      const listing = listMessages(session, { limit: 10 });
      await pauseMs(20);
      await release();
      await interrupting;

      const { data, cursor } = answerOf<MessagePage>(await listing);
      const shown = data.at(-1);
      const events = [...session.log.events(0)].map(({ item }) => item);
      const folded = foldEvents(events);
      let resumed = shown;
      for (const event of events) {
        if (event.seq > cursor && resumed) resumed = appendEvent(resumed, event);
      }
      expect(resumed).toEqual(folded);
    }));

  it("one message and its cursor agree while a parked reply is being interrupted", () =>
    withHeldSession({ tools: [REFUND] }, async ({ session, hold, release }) => {
      const { id } = valueOf(
        await session.queue.start({ input: "/call refund {}\n/say no", on_busy: "reject" }),
      );
      await session.queue.read(id, 60_000);
      hold(true);
      const interrupting = session.runner.interrupt();
      const reading = readMessage(session, id);
      await pauseMs(20);
      await release();
      await interrupting;

      const { message, cursor } = answerOf<StoredMessage>(await reading);
      const events = [...session.log.events(0)].map(({ item }) => item);
      let resumed = message;
      for (const event of events) if (event.seq > cursor) resumed = appendEvent(resumed, event);
      expect(resumed).toEqual(foldEvents(events));
    }));

  it("messages are not shown beyond the cursor that comes with them while a reply starts", () =>
    withHeldSession({}, async ({ session, hold, release }) => {
      hold(true);
      const starting = session.queue.start({ input: "/say one", on_busy: "reject" });
      await pauseMs(10);
      const { data, cursor } = answerOf<MessagePage>(await listMessages(session, { limit: 10 }));
      hold(false);
      await release();
      await starting;

      const added = [...session.log.events(cursor)].filter(({ item }) => item.type === "CUSTOM");
      expect([data.length, added.length]).toEqual(data.length > 0 ? [1, 0] : [0, 1]);
    }));

  it("a sync that fails starts the object anew instead of leaving a reply that nobody runs", () =>
    withHeldSession({}, async ({ session, hold, fail, aborts }) => {
      hold(true);
      const starting = session.queue.start({ input: "/say one", on_busy: "reject" });
      starting.catch(() => undefined);
      await pauseMs(10);
      hold(false);
      await fail(new Error("the disk is gone"));
      await expect(starting).rejects.toThrow("the disk is gone");
      await pauseMs(50);

      const isStuck = session.isRunning && aborts.length === 0;
      expect(isStuck).toBe(false);
    }));

  it("a sync that fails under a running reply ends its streams", () =>
    withHeldSession({}, async ({ session, hold, fail, aborts }) => {
      await session.queue.start({ input: "/wait 20\n/say one", on_busy: "reject" });
      hold(true);
      await waitFor(() => expect(session.isRunning).toBe(false));
      await fail(new Error("the disk is gone"));
      await pauseMs(50);

      expect(aborts.length > 0 || session.log.visibleSeq === session.log.lastSeq).toBe(true);
    }));
});

describe("a session that is being removed", () => {
  it("starts no reply any more", () =>
    withHeldSession({}, async ({ session }) => {
      closeSession(session);
      const started = await session.queue
        .start({ input: "/say one", on_busy: "reject" })
        .catch(() => null);
      await pauseMs(20);

      expect(started).not.toMatchObject({ ok: true });
    }));

  it("runs no reply that was about to start, and calls none of its tools", () =>
    withHeldSession(
      { tools: [{ ...REFUND, read_only: true }] },
      async ({ session, hold, release }) => {
        const calls: string[] = [];
        const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
          calls.push(String(input instanceof Request ? input.url : input));
          return new Response("done");
        });
        hold(true);
        const starting = session.queue.start({
          input: "/call refund {}\n/say done",
          on_busy: "reject",
        });
        await pauseMs(10);
        closeSession(session);
        hold(false);
        await release();
        await starting.catch(() => undefined);
        await pauseMs(100);
        spy.mockRestore();

        expect(calls).toEqual([]);
      },
    ));

  it("lets go of those who wait for its reply", () =>
    withHeldSession({}, async ({ session }) => {
      const { id } = valueOf(
        await session.queue.start({ input: "/rate 20\n/words 20000", on_busy: "reject" }),
      );
      const waiting = session.queue.read(id, 120_000);
      await pauseMs(20);
      closeSession(session);

      expect(await within(waiting, 60_000)).not.toBe("pending");
    }));
});
