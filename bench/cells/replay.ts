// A client that comes back and reads a long log from its beginning.
import type { Cell } from "../cell.ts";
import { readBody } from "../clients/read-body.ts";
import { openLongLog } from "../long-log.ts";

const EVENTS = 20_000;
const MAX_MS = 60;

export const replay: Cell = {
  name: "replay",
  title: `all of a log of ${EVENTS.toLocaleString("en-US")} events, over a stream`,
  isQuick: true,
  async run({ reprise, rounds }) {
    const { session, events } = await openLongLog(reprise, EVENTS);
    const headers = { authorization: `Bearer ${reprise.tenant.key}`, accept: "text/event-stream" };
    const url = `${reprise.baseUrl}/v1/sessions/${session.id}/events?after=0`;
    const timesMs: number[] = [];
    const eventsPerSecond: number[] = [];
    const megabytes: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const { ms, text } = await readBody({ url, headers });
      const received = text.match(/^id: /gm)?.length ?? 0;
      if (received !== events) throw new Error(`${received} of ${events} events came`);
      if (round === 0) continue;
      timesMs.push((ms * EVENTS) / events);
      eventsPerSecond.push((events / ms) * 1_000);
      megabytes.push(text.length / 1_000_000);
    }
    return [
      {
        name: `time for ${EVENTS.toLocaleString("en-US")} events`,
        unit: "ms",
        samples: { reprise: timesMs },
        targets: [{ type: "value", max: MAX_MS }],
      },
      { name: "events in a second", unit: "per second", samples: { reprise: eventsPerSecond } },
      { name: "bytes read", unit: "MB", samples: { reprise: megabytes } },
    ];
  },
};
