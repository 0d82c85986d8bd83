// Hooks around observed messages, whose session's machine dies before and after each durable write.
import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { CodeHookCall } from "../../../tools/hooks/code-hook.ts";
import { sampled } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { deployHook } from "../support/deployed-hook.ts";
import { valueOf, type SessionStub } from "../sessions/session.ts";
import { openScenario, type CrashSession } from "./crash-session.ts";
import {
  abortObject,
  endWatch,
  installFailpoints,
  stopDeltaClock,
  watchWrites,
  type WritePoint,
} from "./failpoint.ts";
import { OTHER_WALKS } from "./other-walks.ts";
import { pointsOf } from "./survive.ts";

const asked: Pick<CodeHookCall, "id" | "point" | "session_id">[] = [];
const note = ({ id, point, session_id }: CodeHookCall): void =>
  void asked.push({ id, point, session_id });

deployHook({
  name: "desk",
  pre_observe: (call) => {
    note(call);
    const [message] = call.input.messages ?? [];
    return message && { input: { messages: [{ id: message.id, content: "[reviewed] news" }] } };
  },
  post_observe: note,
});

const SCENARIO = {
  name: "observing hooks",
  from: "start",
  script: "",
  agent: {
    hooks: ["pre_observe", "post_observe"].map((point) => ({ name: "desk", type: "code", point })),
  },
  writes: [],
} as const;

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

async function observe({ object, id }: CrashSession): Promise<void> {
  const messages = { id: `note_${id}`, role: "user" as const, content: "news" };
  valueOf(await (object as unknown as SessionStub).act("observe", messages as never));
}

/** Until the hooks were told, and D1 too. */
async function rest(session: CrashSession): Promise<void> {
  await waitFor(async () => {
    await session.wakeLate();
    expect(await session.isOver()).toBe(true);
  });
}

async function die(session: CrashSession, point: WritePoint, way: string): Promise<boolean> {
  const watch = watchWrites(session.id, point);
  const begun = observe(session).catch(() => undefined);
  const over = begun.then(() => waitFor(async () => expect(await session.isOver()).toBe(true)));
  await Promise.race([watch.reached(), over.catch(() => undefined)]);
  if (way === "ctx.abort") await abortObject(session.object);
  else await abortAllDurableObjects();
  endWatch(session.id);
  return watch.isReached;
}

const { ways, writes: WRITES } = OTHER_WALKS["observing hooks"];

for (const [rows, breadth] of sampled(ways))
  test.each(rows)(
    "the message is added once, and each hook asked under one id and answered once, whichever write %s cuts off",
    breadth,
    async (way) => {
      const opener = await openScenario(SCENARIO, "ctx.abort");
      const counted = await opener.open();
      const watch = watchWrites(counted.id, null);
      await observe(counted);
      await rest(counted);
      endWatch(counted.id);
      const writes = watch.writes.filter((write) => /message_added|hook_answered/.test(write));
      expect(writes).toEqual(WRITES);

      let reached = 0;
      for (const point of pointsOf(watch.writes.length)) {
        const session = await opener.open();
        if (await die(session, point, way)) reached += 1;
        // A client that got no answer sends the message again.
        await observe(session);
        await rest(session);
        const reader = session.reader();
        const reading = reader.read("after=0&follow=session");
        await waitFor(async () => expect(reader.seen.length).toBeGreaterThanOrEqual(3));
        await reader.cut();
        await reading;
        const events = reader.seen.map((event) => event.type === "CUSTOM" && event);
        expect(events).toMatchObject([
          { name: "hook_answered", value: { point: "pre_observe" } },
          { name: "message_added" },
          { name: "hook_answered", value: { point: "post_observe" } },
        ]);
        const own = asked.filter(({ session_id }) => session_id === session.id);
        const ids = new Set(own.map(({ id, point: at }) => `${at} ${id}`));
        expect(ids.size, JSON.stringify(own)).toBe(2);
        expect(await session.rows("SELECT message_id FROM changed_messages")).toHaveLength(1);
      }
      expect(reached).toBeGreaterThanOrEqual(4);
    },
  );
