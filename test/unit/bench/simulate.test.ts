import { describe, expect, it } from "vitest";

import { simulate, streamsOfOneDatabase } from "../../../bench/scale/simulate.ts";
import type { UnitCosts } from "../../../bench/scale/unit-costs.ts";

/** One of everything, so that the workload alone is left. */
const COSTS: UnitCosts = {
  rowsOfSession: 1,
  rowsOfReply: 1,
  rowsOf1000Tokens: 1,
  objectBytesOf1000Tokens: 1_000,
  objectCallsOfSession: 1,
  objectCallsOfReply: 1,
  databaseReadsOfSession: 1,
  databaseWritesOfSession: 1,
  databaseRowsOfSession: 1,
  databaseBytesOfSession: 1_000,
  databaseReadsOfReply: 1,
  databaseWritesOfReply: 1,
  databaseRowsOfReply: 1,
  databaseBytesOfReply: 1_000,
  processorSecondsOf100kTokens: 1,
  objectBytes: 1_000_000,
};

describe("the simulation", () => {
  it("makes a workload into what the platform is asked for", () => {
    // A reply is a second of waiting and ten of tokens: 110 streams are ten replies a second, and two sessions.
    const demand = simulate({ name: "test", tenants: 1, streams: 110 }, COSTS);

    expect({ ...demand, dollars: undefined }).toEqual({
      replies: 10,
      // A reply is a POST and two looks; a session is one POST.
      workerRequests: 32,
      objectRequests: 32,
      objectRows: 17,
      databaseRows: 12,
      // A read takes 1 ms and a write 5, and there are twelve of each.
      databaseMs: 72,
      processorCores: 0.05,
      objectsAlive: 210,
      isolates: 1.640625,
      // A third of the busiest moment, all day long.
      objectsMade: 57_600,
      repliesOfMonth: 8_640_000,
      databaseBytesOfDay: 345_600_000,
      databasesByTime: 1,
      databasesByYear: 13,
      daysToFull: 10e9 / 345_600_000,
      dollars: undefined,
    });
  });

  it("counts dollars by post", () => {
    const { dollars } = simulate({ name: "test", tenants: 1, streams: 110 }, COSTS);

    const rounded = Object.entries(dollars).map(([post, each]) => [post, each.toFixed(4)]);
    expect(rounded).toEqual([
      ["requests", "12.4416"],
      ["processor", "0.8640"],
      ["object duration", "152.0640"],
      ["object rows", "14.6880"],
      ["object storage", "0.8640"],
      ["D1 rows", "10.3680"],
      ["D1 storage", "7.7760"],
    ]);
  });

  it("says how many streams one database has the time for", () => {
    // Half of a second is 500 ms; 110 streams take 72 of them.
    expect(streamsOfOneDatabase(COSTS)).toBe(763);
  });
});
