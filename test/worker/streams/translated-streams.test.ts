// The object's stream in other dialects: taken up behind any of its frames, one run of it, after the object was lost.
import { evictDurableObject, abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { EVENT_FORMATS, LOG_FORMAT } from "../../../protocol/dialects/dialects.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { openStream as openSessionStream } from "../../../durable-objects/open-stream.ts";
import { parseStreamRequest } from "../../../durable-objects/api/stream-request.ts";
import { STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import { pauseMs, withHeldSession } from "../sessions/held-session.ts";
import { confirmation, parkedSession, post, withTools } from "../confirmations/parked.ts";
import {
  createdSession,
  listEvents,
  objectOf,
  openStream,
  readEvents,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { endsOf, framesIn, idsOf, readFrames, readUntil, typesOf } from "./translated.ts";

const TRANSLATED = EVENT_FORMATS.filter((format) => format !== LOG_FORMAT);
const FORMATS = [...TRANSLATED, "ag-ui&raw=true"].map((format) => `format=${format}`);

/** Two replies; the first waited for a person in its middle. */
async function longSession(): Promise<{ init: SessionInit; replyId: string; answeredAt: number }> {
  const { init, parked, call } = await parkedSession(
    '/think Hm.\n/say One, wörld 👋\n/call look {"q":1}\n/call refund {"q":2}\n/say Two.',
  );
  const { cursor } = valueOf(await post(init, confirmation(parked.id, call)));
  await readReply(init, parked.id, 60_000);
  await reply(init, "/say Three.");
  return { init, replyId: parked.id, answeredAt: cursor };
}

describe.each(FORMATS)("a stream with %s", (format) => {
  it("goes on behind each of its frames with exactly the frames after it", () =>
    withTools(async () => {
      const { init } = await longSession();
      const whole = await readFrames(init, `after=0&${format}`);
      expect(whole.length).toBeGreaterThan(30);
      const isLastOfItsId = (index: number) => whole[index]?.id !== whole[index + 1]?.id;
      for (const [index, { id }] of whole.entries()) {
        if (!isLastOfItsId(index)) continue;
        expect(await readFrames(init, `after=${id}&${format}`)).toEqual(whole.slice(index + 1));
      }
      expect((await openStream(init, `after=${whole.at(-1)?.id}&${format}`)).status).toBe(204);
    }));

  it("is the same when the object was put away, and when it was lost, in between", () =>
    withTools(async () => {
      const { init } = await longSession();
      const whole = await readFrames(init, `after=0&${format}`);
      const { id } = whole[Math.floor(whole.length / 2)]!;
      const middle = idsOf(whole).lastIndexOf(id);
      await evictDurableObject(objectOf(init));
      expect(await readFrames(init, `after=${id}&${format}`)).toEqual(whole.slice(middle + 1));
      await abortAllDurableObjects();
      expect(await readFrames(init, `after=0&${format}`)).toEqual(whole);
    }));

  it("shows a reply live as it is replayed, from every position that is a seq", BROAD, () =>
    withTools(async () => {
      const init = await createdSession();
      await reply(init, "/say Before.");
      const live = openStream(init, `after=0&follow=session&${format}`);
      const { cursor } = await reply(init, "/think Hm.\n/rate 500\n/words 30");
      const shown = await readUntil(await live, (frames) => endsOf(frames) === 2);
      const whole = await readFrames(init, `after=0&${format}`);
      expect(shown).toEqual(whole);
      const seqOf = (id: string) => Number(id.split(".")[0]);
      for (let after = 1; after <= cursor; after += 1) {
        const frames = await readFrames(init, `after=${after}&${format}`);
        expect(frames).toEqual(whole.filter(({ id }) => seqOf(id) > after));
      }
    }),
  );
});

describe("a reader whose last frame was lost with its machine", () => {
  it.each([
    ["format=ag-ui", ".1"],
    ["format=ag-ui&raw=true", ".0"],
    ["format=agentscope-java", ""],
  ])("gets what followed, with %s", async (format, part) => {
    const init = await createdSession();
    const { cursor, id } = await startReply(init, "/rate 100\n/words 20000");
    const watching = await openStream(init, `after=${cursor}`);
    await readEvents(watching, ({ type }) => type === "TEXT_BLOCK_DELTA");
    await abortAllDurableObjects();
    await stubOf(init).act("interrupt", {});
    const { data } = valueOf(await listEvents(init, { after: 0, limit: 1000 }));
    const seqs = data.map(({ seq }) => seq);
    const lost = seqs.find((seq, index) => (seqs[index + 1] ?? seq) > seq + 1);
    const whole = await readFrames(init, `after=0&reply_id=${id}&${format}`);
    const last = whole.findLastIndex((frame) => Number.parseInt(frame.id, 10) <= (lost ?? 0));
    const query = `after=${(lost ?? 0) + 1}${part}&reply_id=${id}&${format}`;

    expect(lost).toBeGreaterThan(cursor);
    expect(await readFrames(init, query)).toEqual(whole.slice(last + 1));
  });
});

describe("the stream of a run", () => {
  it("ends with it and has its client's ids, though the log goes on", () =>
    withTools(async () => {
      const { init, replyId, answeredAt } = await longSession();
      const whole = await readFrames(init, "after=0&format=ag-ui");
      const firstEnd = typesOf(whole).indexOf("RUN_FINISHED");
      const secondEnd = typesOf(whole).indexOf("RUN_FINISHED", firstEnd + 1);
      const ids = `format=ag-ui&reply_id=${replyId}&thread_id=my+thread&run_id=run-`;
      const first = await readFrames(init, `after=0&${ids}1`);
      const second = await readFrames(init, `after=${answeredAt}&${ids}2`);

      expect(idsOf(first)).toEqual(idsOf(whole.slice(0, firstEnd + 1)));
      expect(idsOf(second)).toEqual(idsOf(whole.slice(firstEnd + 1, secondEnd + 1)));
      for (const [run, frames] of [first, second].entries()) {
        const named = { threadId: "my thread", runId: `run-${run + 1}` };
        expect(frames[0]?.event).toMatchObject({ type: "RUN_STARTED", ...named });
        expect(frames.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", ...named });
      }
      expect(first.slice(1, -1)).toEqual(whole.slice(1, firstEnd));
      expect(second.slice(1, -1)).toEqual(whole.slice(firstEnd + 2, secondEnd));
    }));

  it("goes on behind each of its own frames, and is over behind the last", () =>
    withTools(async () => {
      const { init, replyId, answeredAt } = await longSession();
      const query = `format=ag-ui&reply_id=${replyId}&thread_id=t&run_id=r`;
      for (const begin of [0, answeredAt]) {
        const run = await readFrames(init, `after=${begin}&${query}`);
        for (const [index, { id }] of run.entries()) {
          expect(await readFrames(init, `after=${id}&${query}`)).toEqual(run.slice(index + 1));
        }
        const { status } = await openStream(init, `after=${run.at(-1)?.id}&${query}`);
        expect(status).toBe(204);
      }
    }));

  it("ends at once where the reply begins to wait, for those who watch", () =>
    withTools(async () => {
      const { init, parked } = await parkedSession();
      const live = await readFrames(
        init,
        `after=0&format=ag-ui&reply_id=${parked.id}&thread_id=t&run_id=r&follow=session`,
      );
      expect(live.at(-1)?.event).toMatchObject({ outcome: { type: "interrupt" } });
    }));
});

describe("a reply that waits while other calls stand by", () => {
  const TWO = '/call refund {"q":1}\n/call refund {"q":2}\n/say Done.';

  it("says so at once to those who watch, as a replay does", () =>
    withTools(async () => {
      const { init, parked, call } = await parkedSession(TWO);
      const live = await openStream(init, "after=0&format=ag-ui&follow=session");
      const read = readUntil(live, (frames) => endsOf(frames) === 3);
      const waiting = await readFrames(init, "after=0&format=ag-ui");
      await post(init, confirmation(parked.id, call));
      const again = await readReply(init, parked.id, 60_000);
      const asked = await readFrames(init, "after=0&format=ag-ui");
      await post(init, confirmation(parked.id, again.pending[0]!));
      const frames = await read;

      expect([endsOf(waiting), endsOf(asked)]).toEqual([1, 2]);
      expect(waiting).toEqual(frames.slice(0, waiting.length));
      expect(asked).toEqual(frames.slice(0, asked.length));
      expect(await readFrames(init, "after=0&format=ag-ui")).toEqual(frames);
    }));

  it("is told to a reader that has all but that", () =>
    withTools(async () => {
      const { init } = await parkedSession(TWO);
      const frames = await readFrames(init, "after=0&format=ag-ui");
      for (const [index, { id }] of frames.entries()) {
        const rest = await readFrames(init, `after=${id}&format=ag-ui`);
        expect(rest).toEqual(frames.slice(index + 1));
      }
      const joined = await readFrames(init, "format=ag-ui");
      expect(joined.at(-1)).toEqual(frames.at(-1));
    }));
});

describe("a reader of what is not on disk yet", () => {
  it("joins and goes on in the middle of it, without waiting", () =>
    withHeldSession({}, async ({ session, hold, release }) => {
      await session.queue.start({ input: "/rate 200\n/words 20000", on_busy: "reject" });
      await expect.poll(() => session.log.visibleSeq - session.log.durableSeq).toBeGreaterThan(3);
      hold(true);
      const { durableSeq } = session.log;
      await expect.poll(() => session.log.visibleSeq).toBeGreaterThan(durableSeq + 10);
      const seq = session.log.visibleSeq;
      const open = (query: string) =>
        valueOf(openSessionStream(session, parseStreamRequest(`${STREAM_URL}?${query}`)));
      const joined = new Response(open("format=ag-ui"));
      const resumed = new Response(open(`format=ag-ui&after=${seq}.1`));
      hold(false);
      await release();
      await session.runner.interrupt();
      await pauseMs(5);
      const whole = framesIn(await new Response(open("format=ag-ui&after=0")).text());
      const [, snapshot, ...rest] = framesIn(await joined.text());
      const at = idsOf(whole).indexOf(snapshot?.id ?? "");

      expect(Number(snapshot?.id.split(".")[0])).toBeGreaterThanOrEqual(seq);
      expect(rest.filter(({ id }) => id !== snapshot?.id)).toEqual(whole.slice(at + 1));
      const after = idsOf(whole).indexOf(`${seq}.1`);
      expect(framesIn(await resumed.text())).toEqual(whole.slice(after + 1));
    }));
});
