// A tenant's back end tells an event and a hint with a message, and its session's machine dies before and after each durable write.
import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import { splitTold } from "../../../worker/sessions/told-hints.ts";
import { waitFor } from "../../support/wait-for.ts";
import { valueOf, type SessionStub } from "../sessions/session.ts";
import { openScenario, type CrashSession } from "./crash-session.ts";
import {
  abortObject,
  endWatch,
  installFailpoints,
  stopDeltaClock,
  watchWrites,
} from "./failpoint.ts";
import { pointsOf } from "./survive.ts";

const SCENARIO = { name: "telling", from: "start", script: "", agent: {}, writes: [] } as const;

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

async function tell({ object, id }: CrashSession): Promise<number> {
  const given = [
    { type: "CUSTOM", name: "scanned", value: { place: "Bremen" } },
    { type: "HINT_BLOCK", source: "ward", hint: "Bed 4 is free.", trusted: false },
  ] as const;
  const note = { id: `note_${id}`, role: "user", content: "news" };
  const { messages, events } = splitTold(note as never, given);
  const idempotency = { key: "tell", fingerprint: "same" };
  const stub = object as unknown as SessionStub;
  const told = await stub.act("tell", { messages, events } as never, { idempotency });
  return valueOf(told).cursor;
}

test.each(["ctx.abort", "abortAllDurableObjects"])(
  "the event, the message and the hint are there once, in one commit, whichever write %s cuts off",
  async (way) => {
    const opener = await openScenario(SCENARIO, "ctx.abort");
    const counted = await opener.open();
    const watch = watchWrites(counted.id, null);
    await tell(counted);
    endWatch(counted.id);

    let reached = 0;
    for (const point of pointsOf(watch.writes.length)) {
      const session = await opener.open();
      const cut = watchWrites(session.id, point);
      const begun = tell(session).catch(() => undefined);
      await Promise.race([cut.reached(), begun]);
      if (way === "ctx.abort") await abortObject(session.object);
      else await abortAllDurableObjects();
      endWatch(session.id);
      if (cut.isReached) reached += 1;
      // A client that got no answer asks again, under the same key.
      const cursor = await tell(session);
      const reader = session.reader();
      const reading = reader.read("after=0&follow=session");
      await waitFor(async () => expect(reader.seen.length).toBeGreaterThanOrEqual(3));
      await reader.cut();
      await reading;
      const events = reader.seen.map((event) => event.type === "CUSTOM" && event);
      expect(events).toMatchObject([
        { name: "scanned", metadata: { told_by: { kind: "tenant" } } },
        { name: "message_added" },
        { name: "message_added", value: { message: { name: "tenant:ward" } } },
      ]);
      expect(reader.seen.at(-1)?.seq).toBe(cursor);
    }
    expect(reached).toBeGreaterThanOrEqual(2);
  },
);
