/** @module-tag broad */
// The short form of the soak in test/long: the real thing, killed with kill -9 while sessions stream with tools.
import { expect, onTestFailed, test } from "vitest";

import { soakInKills } from "../support/kill-soak.ts";
import { verifySoak } from "../support/verify-soak.ts";

const ROUNDS = 4;
/** Five starts of a platform, and whatever `kill-soak.ts` waits for. */
const HANG_MS = 1_200_000;

test(
  "every reply outlives kill -9 at random moments, and no side effect of a default tool happens twice",
  async () => {
    const seed = Number(process.env["KILL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
    onTestFailed(() => console.info(`KILL_SEED=${seed}`));

    const soak = await soakInKills(ROUNDS, seed);

    verifySoak(soak);
    const watched = soak.sessions.flatMap((session) => session.watched);
    expect(watched.length).toBeGreaterThanOrEqual(4);
  },
  HANG_MS,
);
