// Another tenant's client in a separate process: repeatedly reads one path and reports the slowest read. The process
// does nothing else, so that its waiting time is the platform's.
import { request } from "node:http";

import { CONNECTIONS } from "../clients/connections.ts";
import { quantile } from "../statistics.ts";

export interface ReadingOrder {
  readonly url: string;
  readonly key: string;
}

export interface Reading {
  readonly longestMs: number;
  readonly p95Ms: number;
  readonly reads: number;
}

let current: { isOver: boolean; done: Promise<Reading> } | null = null;

process.on("message", (order: ReadingOrder | "stop") => {
  if (order !== "stop") {
    current = startReading(order);
    return;
  }
  if (!current) return;
  current.isOver = true;
  void current.done.then(
    (reading) => process.send?.(reading),
    (error: unknown) => {
      console.error("the neighbour:", error);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit(0));

function startReading(order: ReadingOrder): { isOver: boolean; done: Promise<Reading> } {
  const reading = { isOver: false, done: Promise.resolve({ longestMs: 0, p95Ms: 0, reads: 0 }) };
  reading.done = (async () => {
    const times: number[] = [];
    while (!reading.isOver) {
      const startedAtMs = performance.now();
      await read(order);
      times.push(performance.now() - startedAtMs);
    }
    // A loop: ten minutes of reads are more values than a call takes arguments.
    let longestMs = 0;
    for (const time of times) longestMs = Math.max(longestMs, time);
    return {
      longestMs,
      p95Ms: times.length === 0 ? 0 : quantile(times, 0.95),
      reads: times.length,
    };
  })();
  return reading;
}

function read({ url, key }: ReadingOrder): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const sent = request(url, { agent: CONNECTIONS, headers }, (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`the neighbour's read was answered with ${response.statusCode}`));
      });
    });
    sent.once("error", reject);
    sent.end();
  });
}
