// After the agent's `log_retention` the deltas of a reply that has ended are one event where they follow each other, and no
// reader is given text twice or misses any, wherever it stands and in whichever dialect it reads.
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { condenseDueReplies } from "../../../durable-objects/lifecycle/condense-due-replies.ts";
import { EVENT_FORMATS } from "../../../protocol/dialects/dialects.ts";
import { firstSeqOf } from "../../../protocol/fold/condensed-delta.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { CONDENSING_RETRY_MS, MAX_CONDENSING_DELAY_MS } from "../../../protocol/events/limits.ts";
import {
  abortObject,
  endWatch,
  installFailpoints,
  watchWrites,
  type WritePoint,
} from "../crash/failpoint.ts";
import { silenceLogs } from "../poison/poisoned.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { gathered } from "../../support/gathered.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import {
  alarmOf,
  condense,
  fireCondensing,
  makeCondensingDue,
  readRows,
  RETENTION,
  rowsOf,
  TIMERS,
} from "./condensed.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import {
  allEvents,
  createdSession,
  listEvents,
  listMessages,
  objectOf,
  openStream,
  readReply,
  readState,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { framesIn, readFrames, type Frame } from "../streams/translated.ts";

const FORMATS = [...EVENT_FORMATS, "ag-ui&raw=true"] as const;
const INPUT =
  '/rate 100\n/think I look at it, and then I say it.\n/words 24\n/call refund {"order_id":"A-1001"}\n/say "\\ über 漢字 🙂 and more';
const SHORT = "/rate 150\n/words 36";

beforeEach(silenceLogs);

function streamOf(init: SessionInit, format: string, after: string | number): Promise<Frame[]> {
  return readFrames(init, `after=${after}&format=${format}`);
}

async function toldSession(agent: object = RETENTION, input = INPUT) {
  const init = await createdSession(agent);
  const { id } = await reply(init, input);
  // Nothing of the reply's end is left to be written.
  const watch = "SELECT id FROM timers WHERE kind = 'watch'";
  await expect.poll(() => rowsOf(init, watch)).toEqual([]);
  return { init, id };
}

function deltasOf(events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  return events.filter(({ type }) => type.endsWith("_DELTA"));
}

describe("a reply whose retention is over", () => {
  it("has one delta a block, with the seq of its last one and a word about it", async () => {
    const { init } = await toldSession();
    const before = await allEvents(init);
    const [stored, conversation] = [await readRows(init), await readState(init)];
    await condense(init);
    await abortAllDurableObjects();
    const after = await allEvents(init);

    const isDelta = ({ type }: LoggedEvent) => type.endsWith("_DELTA");
    expect(after.filter((event) => !isDelta(event))).toEqual(
      before.filter((event) => !isDelta(event)),
    );
    for (const event of deltasOf(after)) {
      const replaced = before.filter(({ seq }) => seq >= firstSeqOf(event) && seq <= event.seq);
      const texts = replaced.map((each) => ("delta" in each ? each.delta : ""));
      expect(event).toMatchObject({ type: replaced[0]?.type, delta: texts.join("") });
      expect(event.seq).toBe(replaced.at(-1)?.seq);
      if (replaced.length > 1)
        expect(event.metadata).toEqual({ condensed: { first_seq: replaced[0]?.seq } });
      else expect(event).toEqual(replaced[0]);
    }
    const blocks = deltasOf(after).map(
      (event) => `${event.type} ${"block_id" in event ? event.block_id : ""}`,
    );
    expect(deltasOf(before).length).toBeGreaterThan(30);
    expect(new Set(blocks).size).toBe(blocks.length);
    const kept = await readRows(init);
    expect(kept.condensed).toBeGreaterThan(0);
    expect(kept.rows).toBeLessThan(stored.rows);
    expect(kept.bytes).toBeLessThan(stored.bytes);
    expect(await readState(init)).toEqual(conversation);
  });

  for (const [rows, breadth] of sampled(FORMATS, 1))
    it.each(rows)(
      "goes on from every frame that %s has ever had, with what is not seen",
      breadth,
      async (format) => {
        const { init } = await toldSession();
        const before = await streamOf(init, format, 0);
        await condense(init);
        const after = await streamOf(init, format, 0);
        expect(after.length).toBeLessThan(before.length);
        const whole = gathered(before);
        const others = (frames: readonly string[]) =>
          frames.filter((text) => !text.includes('"RAW"'));
        expect(others(gathered(after))).toEqual(others(whole));

        for (const had of [before, after]) {
          const ids = had.map(({ id }) => id);
          for (const [index, id] of ids.entries()) {
            // At the beginning of a run RAW has the id of the frame before it.
            if (ids[index + 1] === id) continue;
            const rest = await streamOf(init, format, id);
            expect(gathered([...had.slice(0, index + 1), ...rest]), id).toEqual(gathered(had));
          }
        }
      },
    );

  it("is joined, listed and paged as before", async () => {
    const { init, id } = await toldSession();
    const read = async () => ({
      joined: await readFrames(init, "format=ag-ui"),
      ofReply: await readFrames(init, `format=ag-ui&reply_id=${id}`),
      messages: await listMessages(init, { limit: 100 }),
    });
    const before = await read();
    const events = await allEvents(init);
    await condense(init);

    expect(await read()).toEqual(before);
    for (const { seq } of events) {
      const { data } = valueOf(await listEvents(init, { after: seq, limit: 100 }));
      const had = events.filter((event) => event.seq <= seq);
      const frames = [...had, ...data].map((event): Frame => ({ id: `${event.seq}`, event }));
      const all = events.map((event): Frame => ({ id: `${event.seq}`, event }));
      expect(gathered(frames)).toEqual(gathered(all));
    }
  });

  it("is sent on to a reader who was in the middle of it all the time", BROAD, async () => {
    const { init } = await toldSession();
    const whole = gathered(await streamOf(init, "agentscope", 0));
    const events = await allEvents(init);
    const middle = deltasOf(events)[12];
    const response = await openStream(init, `after=${middle?.seq}`);
    await condense(init);
    const had = events.filter(({ seq }) => seq <= (middle?.seq ?? 0));
    const rest = framesIn(await response.text());

    const frames = had.map((event): Frame => ({ id: `${event.seq}`, event }));
    expect(gathered([...frames, ...rest])).toEqual(whole);
  });

  it(
    "was interrupted, and has no END of its own: it is condensed as any other",
    BROAD,
    async () => {
      const init = await createdSession(RETENTION);
      const gates = holdGates();
      const { id } = await startReply(init, `/rate 200\n/words 30\n${GATE}`);
      await expect.poll(async () => deltasOf(await visible(init)).length).toBeGreaterThan(25);
      await stubOf(init).act("interrupt", {});
      gates.release();
      await readReply(init, id, 60_000);
      const before = await streamOf(init, "agentscope", 0);
      await condense(init);
      const after = await streamOf(init, "agentscope", 0);

      expect(gathered(after)).toEqual(gathered(before));
      expect(after.length).toBeLessThan(before.length - 20);
    },
  );
});

/** Events of a running reply that are visible now. */
async function visible(init: SessionInit): Promise<readonly LoggedEvent[]> {
  return valueOf(await listEvents(init, { after: 0, limit: 100 })).data;
}

describe("the time of condensing", BROAD, () => {
  it("is at least the retention after the end, is stored, and is one alarm for the replies of a while", async () => {
    const init = await createdSession({ log_retention: 7_200 });
    await reply(init, "/say one");
    await reply(init, "/say two");
    const ends = (await allEvents(init)).filter(({ type }) => type === "REPLY_END");
    const timers = await rowsOf(init, TIMERS);
    expect(timers).toHaveLength(2);
    const delayMs = Math.min((7_200 * 1_000) / 8, MAX_CONDENSING_DELAY_MS);
    for (const [index, { due_at }] of timers.entries()) {
      const over = Date.parse(ends[index]?.created_at ?? "") + 7_200_000;
      expect(due_at).toBeGreaterThanOrEqual(over);
      expect(due_at).toBeLessThanOrEqual(over + delayMs);
    }
    await expect.poll(() => alarmOf(init)).toBe(timers[0]?.["due_at"]);
    await evictDurableObject(objectOf(init));
    expect(await alarmOf(init)).toBe(timers[0]?.["due_at"]);
  });

  it.each([
    ["none", {}],
    ["null", { log_retention: null }],
  ])(
    "is never for an agent with %s: no timer, no alarm, and every delta stays",
    async (_, agent) => {
      const { init } = await toldSession(agent);
      const before = await allEvents(init);
      await expect.poll(() => alarmOf(init)).toBeNull();
      expect(await rowsOf(init, TIMERS)).toEqual([]);
      await fireCondensing(init);
      expect(await allEvents(init)).toEqual(before);
    },
  );

  it("is put off while a reply runs, whose end does not wait for it, and counts no failure", async () => {
    const { init } = await toldSession();
    const gates = holdGates();
    const { id } = await startReply(init, `/say on\n${GATE}`);
    for (let time = 0; time < 4; time += 1) {
      await fireCondensing(init);
    }
    const [put] = await rowsOf(init, TIMERS);
    expect(put).toMatchObject({ begun: 0 });
    expect(Number(put?.["due_at"])).toBeGreaterThan(Date.now() + CONDENSING_RETRY_MS / 2);
    expect((await readRows(init)).condensed).toBe(0);
    gates.release();
    await readReply(init, id, 60_000);
    await condense(init);
    expect((await readRows(init)).condensed).toBeGreaterThan(0);
  });

  it("is over with its session: nothing is written to one that is erased meanwhile", async () => {
    const { init } = await toldSession();
    await fireCondensing(init);
    await stubOf(init).remove(init.created_at);
    expect(await rowsOf(init, "SELECT name FROM sqlite_master WHERE name = 'events'")).toEqual([]);
    expect(await alarmOf(init)).toBeNull();
  });

  it("leaves a reply as it is that cannot be condensed, after three tries, and does the others", () =>
    withHeldSession(RETENTION, async ({ session }) => {
      await session.queue.start({ input: INPUT, on_busy: "reject" });
      await session.active?.settled;
      const { timers } = session.tables;
      const [timer] = timers.of("condense");
      const broken = { ...session, tables: { ...session.tables, condense: fail } };
      const seen: (number | undefined)[] = [];
      for (let time = 0; time < 4; time += 1) {
        timers.putOff({ kind: "condense", id: timer?.id ?? "" }, 1);
        seen.push(timers.due(Date.now()).find(({ kind }) => kind === "condense")?.begun);
        await condenseDueReplies(broken);
      }
      expect(seen).toEqual([0, 1, 2, 3]);
      expect(timers.of("condense")).toEqual([]);
    }));
});

function fail(): never {
  throw new Error("it cannot be read");
}

describe("a machine that dies while it condenses", BROAD, () => {
  const restore: (() => void)[] = [];
  beforeAll(async () => {
    restore.push(await installFailpoints(env.SESSION.getByName("failpoints")));
  });
  afterAll(() => restore.forEach((undo) => undo()));

  it("leaves the rows of before or those of after, and the next one ends it", async () => {
    const first = await toldSession(RETENTION, SHORT);
    await makeCondensingDue(first.init);
    const counted = watchWrites(first.init.session_id, null);
    await runDurableObjectAlarm(objectOf(first.init));
    await expect.poll(() => rowsOf(first.init, TIMERS)).toEqual([]);
    endWatch(first.init.session_id);
    expect(counted.writes).toEqual(["update timers", "update timers", "delete events"]);

    for (let write = 1; write <= counted.writes.length; write += 1) {
      for (const side of ["before", "after"] as const) {
        await dieAt({ write, side });
      }
    }
  });
});

async function dieAt(point: WritePoint): Promise<void> {
  const { init } = await toldSession(RETENTION, SHORT);
  const before = await streamOf(init, "agentscope", 0);
  await makeCondensingDue(init);
  const watch = watchWrites(init.session_id, point);
  // The alarm of a machine that has stopped is never over.
  void runDurableObjectAlarm(objectOf(init)).catch(() => undefined);
  await watch.reached();
  endWatch(init.session_id);
  await abortObject(objectOf(init));

  const between = await streamOf(init, "agentscope", 0);
  expect(gathered(between)).toEqual(gathered(before));
  await condense(init);
  const after = await streamOf(init, "agentscope", 0);
  expect(gathered(after)).toEqual(gathered(before));
  expect(after.length).toBeLessThan(before.length - 20);
}
