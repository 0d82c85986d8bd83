// A session with a long history: new messages must cost the same as in a new session.
import type { Cell } from "../cell.ts";
import type { TokenReader } from "../clients/token-reader.ts";
import { readPath } from "../clients/read-path.ts";
import { openLongLog } from "../long-log.ts";
import { MAX_GROWTH, measureGrowth, timeMs } from "../measure-growth.ts";
import { replyOf } from "../sessions.ts";
import { quantile } from "../statistics.ts";

const EVENTS = [1_000, 10_000, 100_000];
const TOKENS = 200;
const TOKENS_PER_SECOND = 100;
const SHORT_REPLIES = 5;

export const growthHistory: Cell = {
  name: "growth-history",
  title: "one session with a log that is 10 and 100 times as long",
  isQuick: false,
  run({ reprise, rounds }) {
    return measureGrowth({
      sizes: EVENTS,
      what: "events",
      rounds,
      async open(size) {
        const { session } = await openLongLog(reprise, size);
        const path = `/v1/sessions/${session.id}`;
        const read = (below: string, accept?: string) =>
          readPath(reprise, reprise.tenant, `${path}${below}`, accept);
        const flat = { unit: "ms", maxGrowth: MAX_GROWTH } as const;
        let firstTokenMs = Number.NaN;
        let rows = 0;
        return [
          {
            name: "open: the first look after the object was put away",
            ...flat,
            measure: () =>
              timeMs(async () => {
                await reprise.putAway(session.id);
                await read("");
              }),
          },
          {
            name: "list the newest 20 messages",
            ...flat,
            measure: () => timeMs(() => read("/messages")),
          },
          {
            name: "replay the last 100 events",
            ...flat,
            async measure() {
              const { cursor } = JSON.parse((await read("")).text) as { cursor: number };
              return timeMs(() => read(`/events?after=${cursor - 100}`, "text/event-stream"));
            },
          },
          {
            name: "a reply: added per token, p50",
            ...flat,
            async measure() {
              const before = await reprise.readRows(session.id);
              const reader = await replyOf(session, { tokens: TOKENS, rate: TOKENS_PER_SECOND });
              rows = (await reprise.readRows(session.id)).written - before.written;
              return quantile(reader.agesMs, 0.5);
            },
          },
          {
            name: "a reply: to its first event",
            ...flat,
            async measure() {
              const readers: TokenReader[] = [];
              for (let time = 0; time < SHORT_REPLIES; time += 1) {
                readers.push(await replyOf(session, { tokens: 1, rate: 0 }));
              }
              firstTokenMs = quantile(
                readers.map((reader) => reader.firstTokenMs),
                0.5,
              );
              return quantile(
                readers.map((reader) => reader.firstEventMs),
                0.5,
              );
            },
          },
          {
            // Grows, because the complete conversation is sent to the model.
            name: "a reply: to its first token",
            unit: "ms",
            measure: async () => firstTokenMs,
          },
          {
            name: "a reply: rows written",
            unit: "rows",
            maxGrowth: MAX_GROWTH,
            measure: async () => rows,
          },
        ];
      },
    });
  },
};
