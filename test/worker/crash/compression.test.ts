// A machine that dies before and after each durable write with which a context is compressed: between replies, and in a
// reply that waits for it.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import {
  compressingSession,
  fireTimer,
  rowsOf,
  sayTwice,
  summariesOf,
  textsOfContext,
  wordsOf,
} from "../context/compressing.ts";
import { pauseMs } from "../sessions/held-session.ts";
import {
  allEvents,
  listMessages,
  objectOf,
  reply,
  startReply,
  valueOf,
} from "../sessions/session.ts";
import { SUMMARY } from "../support/summarised-agent.ts";
import {
  abortObject,
  endWatch,
  installFailpoints,
  stopDeltaClock,
  watchWrites,
  type WritePoint,
} from "./failpoint.ts";
import { OTHER_WALKS } from "./other-walks.ts";
import { eventWrites, pointsOf } from "./survive.ts";

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

const LEFT =
  "SELECT kind AS what FROM timers WHERE kind <> 'expiry' UNION ALL SELECT status FROM outbox UNION ALL SELECT id FROM replies WHERE status = 'running'";

async function quiet(init: SessionInit): Promise<void> {
  await waitFor(async () => expect(await rowsOf(init, LEFT)).toEqual([]));
}

/** Below the soft threshold; the next turn brings it above. */
async function prepared(context: object = {}): Promise<SessionInit> {
  const init = await compressingSession("", context);
  await sayTwice(init, 300);
  await sayTwice(init, 300);
  await quiet(init);
  return init;
}

/** The machine dies at the point, if it is reached, and others go on until nothing is left to do. */
async function crashAt(point: WritePoint, context: object, tokens: number): Promise<SessionInit> {
  const init = await prepared(context);
  const watch = watchWrites(init.session_id, point);
  const input = { id: "last", role: "user" as const, content: `/say ${wordsOf(tokens)}` };
  const said = startReply(init, input as never).catch(() => undefined);
  await Promise.race([watch.reached(), said.then(() => over(init, () => watch.isReached))]);
  await abortObject(objectOf(init));
  endWatch(init.session_id);
  await waitFor(async () => {
    await rowsOf(init, "UPDATE timers SET due_at = 1");
    await fireTimer(init);
    const [started] = await rowsOf(init, "SELECT id FROM messages WHERE id = 'last'");
    // The client, which got no answer, says it again.
    if (!started) await startReply(init, input as never);
    expect(await rowsOf(init, LEFT)).toEqual([]);
  });
  return init;
}

async function over(init: SessionInit, isReached: () => boolean): Promise<void> {
  for (;;) {
    await pauseMs(50);
    if (isReached() || (await rowsOf(init, LEFT)).length === 0) return;
  }
}

/** The writes of one turn with its compression, where no machine dies. */
async function countWrites(context: object, tokens: number): Promise<readonly string[]> {
  const init = await prepared(context);
  const watch = watchWrites(init.session_id, null);
  await reply(init, `/say ${wordsOf(tokens)}`);
  await quiet(init);
  endWatch(init.session_id);
  expect(await summariesOf(init)).toHaveLength(1);
  return watch.writes;
}

async function expectWhole(init: SessionInit): Promise<void> {
  const { data } = valueOf(await listMessages(init, { limit: 100 }));
  expect(data).toHaveLength(6);
  const made = await summariesOf(init);
  expect(made.length, "summarised twice").toBe(1);
  const [first, ...rest] = await textsOfContext(init);
  expect(first).toContain(SUMMARY);
  const ids = data.map(({ id }) => id);
  const left = ids.length - 1 - ids.indexOf(made[0]?.value.last_message_id ?? "");
  expect(rest.length).toBe(made[0]?.value.last_block_id === null ? left : left + 1);
  const log = await allEvents(init);
  expect(log.filter(({ type }) => type === "REPLY_END")).toHaveLength(3);
  expect((await reply(init, "/say on")).status).toBe("completed");
}

const CASES: readonly (readonly [keyof typeof OTHER_WALKS, object, number])[] = [
  ["a compression between replies", {}, 125],
  ["a compression in a reply that waits for it", { reserve_ratio: 0.19 }, 230],
];

for (const [cases, breadth] of sampled(CASES))
  describe.each(cases)("%s", breadth, (name, context, tokens) => {
    test(
      "loses nothing and summarises nothing twice, whichever write a machine dies at",
      BROAD,
      async () => {
        const log = hearLog();
        const writes = await countWrites(context, tokens);
        expect(eventWrites(writes)).toEqual(eventWrites(OTHER_WALKS[name].writes));
        const points = pointsOf(writes.length);
        const failures: string[] = [];
        for (let next = 0; next < points.length; next += 8) {
          await Promise.all(
            points.slice(next, next + 8).map(async (point) => {
              try {
                await expectWhole(await crashAt(point, context, tokens));
              } catch (error) {
                failures.push(
                  `${point.side} write ${point.write} (${writes[Number(point.write) - 1]}): ${String(error)}`,
                );
              }
            }),
          );
        }
        expect(failures).toEqual([]);
        expect(log.filter((words) => words !== "timer handler failed; will retry")).toEqual([]);
      },
    );
  });
