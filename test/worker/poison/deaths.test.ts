// Machines that die of taking a reply up, at one step of it again and again: the reply ends, and nobody waits for ever.
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

import {
  MAX_RECOVERIES_WITHOUT_PROGRESS,
  MAX_CRASHES_WHILE_WAKING,
} from "../../../protocol/replies/limits.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { installFailpoints, LOG_READ, type WritePoint } from "../crash/failpoint.ts";
import { alarmOf, rowsOf } from "../confirmations/parked.ts";
import { allEvents, readReply, reply, stubOf, valueOf } from "../sessions/session.ts";
import {
  dieUntilRest,
  lostReply,
  poison,
  silenceLogs,
  spreadNothing,
  waitingReply,
} from "./poisoned.ts";

beforeAll(() => installFailpoints(env.SESSION.getByName("failpoints of poison")));
beforeEach(() => {
  silenceLogs();
  spreadNothing();
});

// The fold as often as it may, and once the look at what is open.
const DEATHS = MAX_CRASHES_WHILE_WAKING + 1;
const STATES = [
  ["runs", lostReply, DEATHS],
  // And once the delivery to D1 of what was asked.
  ["waits for a person", waitingReply, DEATHS + 1],
] as const;

for (const [rows, breadth] of sampled(STATES, 1))
  describe.each(rows)(
    "a reply that %s, and whose fold kills each machine",
    breadth,
    (_, open, most) => {
      it("has cost as many as it may, and then ends with an error that every reader sees", async () => {
        const poisoned = await open();
        const { init, replyId } = poisoned;
        await poison(poisoned);
        const deaths = await dieUntilRest(poisoned, { write: LOG_READ, side: "before" });
        const ended = await readReply(init, replyId);

        expect(deaths).toBe(most);
        expect(ended).toMatchObject({ status: "error", error: { type: "internal" }, pending: [] });
        expect((await allEvents(init)).at(-1)).toMatchObject({
          type: "REPLY_END",
          finished_reason: "error",
          metadata: { budget: "attempts" },
        });
        expect(valueOf(await stubOf(init).act("read"))).toMatchObject({
          status: "idle",
          reply_id: null,
        });
      });

      it("is woken again after each death, with no client", async () => {
        const poisoned = await open();
        await poison(poisoned);
        const alarms: boolean[] = [];
        await dieUntilRest(poisoned, { write: LOG_READ, side: "before" }, async () => {
          alarms.push((await alarmOf(poisoned.init)) !== null);
        });

        expect(alarms).toEqual(Array.from({ length: most }, () => true));
      });

      it("leaves a session that goes on, tells D1 and can be erased", async () => {
        const poisoned = await open();
        const { init } = poisoned;
        await poison(poisoned);
        await dieUntilRest(poisoned, { write: LOG_READ, side: "before" });
        const next = await reply(init, "/say hello");

        expect(next.status).toBe("completed");
        await expect.poll(() => rowsOf(init, "SELECT entry FROM outbox")).toEqual([]);
        expect(valueOf(await stubOf(init).remove())).toBeNull();
        expect(await stubOf(init).act("read")).toMatchObject({ refusal: { code: "not_found" } });
      });

      it("is erased without being folded", async () => {
        const poisoned = await open();
        const { init } = poisoned;
        await poison(poisoned);

        expect(valueOf(await stubOf(init).remove())).toBeNull();
        expect(await stubOf(init).act("read")).toMatchObject({ refusal: { code: "not_found" } });
      });
    },
  );

describe("a reply whose fold killed machines and then does not", () => {
  it("goes on, and forgets them", BROAD, async () => {
    const poisoned = await lostReply();
    const { init, replyId } = poisoned;
    await poison(poisoned, `UPDATE replies SET begun = ${MAX_CRASHES_WHILE_WAKING - 1}`);

    expect(await readReply(init, replyId, 60_000)).toMatchObject({ status: "completed" });
    expect(await rowsOf(init, "SELECT begun FROM replies")).toEqual([{ begun: 0 }]);
  });

  it("waits on for its person, and forgets them", async () => {
    const poisoned = await waitingReply();
    const { init, replyId } = poisoned;
    const before = await readReply(init, replyId);
    await poison(poisoned, `UPDATE replies SET begun = ${MAX_CRASHES_WHILE_WAKING - 1}`);

    expect(await readReply(init, replyId)).toEqual(before);
    expect(await rowsOf(init, "SELECT begun FROM replies")).toEqual([{ begun: 0 }]);
  });
});

const RECOVERY = "reply_recovered + TEXT_BLOCK_END + MODEL_CALL_END";
const STEPS: readonly (readonly [WritePoint["side"], string, number])[] = [
  // As often as it may; then its end is said at once, in another commit.
  ["before", RECOVERY, MAX_CRASHES_WHILE_WAKING],
  // The reply was taken up, and is not again.
  ["after", RECOVERY, 1],
  // The reply runs: these are losses like any other of its runner.
  ["before", "MODEL_CALL_START", MAX_RECOVERIES_WITHOUT_PROGRESS],
  ["after", "MODEL_CALL_START", MAX_RECOVERIES_WITHOUT_PROGRESS],
];

describe("a machine that dies again and again", () => {
  for (const [rows, breadth] of sampled(STEPS, 1))
    it.each(rows)("%s %s ends the reply after %i times", breadth, async (side, write, times) => {
      const poisoned = await lostReply();
      await poison(poisoned);
      const deaths = await dieUntilRest(poisoned, { write, side });
      const ended = await readReply(poisoned.init, poisoned.replyId, 60_000);
      const ends = (await allEvents(poisoned.init)).filter(({ type }) => type === "REPLY_END");

      expect([deaths, ended.status]).toEqual([times, times === 1 ? "completed" : "error"]);
      expect(ends).toHaveLength(1);
    });
});
