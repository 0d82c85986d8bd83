import { setTimeout as sleep } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { inTurns, samplesOf } from "../../../bench/in-turns.ts";
import type { Peer } from "../../../bench/peers/peer.ts";

function peer(name: Peer["name"]): Peer {
  return {
    name,
    pid: 0,
    openSession: () => Promise.reject(new Error("unused")),
    stop: async () => {},
  };
}

describe("peers in turns", () => {
  it("are measured round by round, and the first round is not counted", async () => {
    const order: string[] = [];
    const peers = [peer("raw"), peer("reprise")];

    const results = await inTurns({ peers, rounds: 2 }, async ({ name }) => order.push(name));

    expect(order).toEqual(["raw", "reprise", "raw", "reprise", "raw", "reprise"]);
    expect(samplesOf(results, (count) => count)).toEqual({ raw: [3, 5], reprise: [4, 6] });
  });

  it("get one counted round though they are slower than anybody waits", async () => {
    const results = await inTurns(
      { peers: [peer("row-per-token")], rounds: 3, patienceMs: 5 },
      () => sleep(20, "measured"),
    );

    expect([...results]).toEqual([["row-per-token", ["measured"]]]);
  });

  it("have no samples where nothing could be measured", async () => {
    const results = await inTurns({ peers: [peer("raw")], rounds: 1 }, async () => null);

    expect(samplesOf(results, (value) => value)).toEqual({});
  });
});
