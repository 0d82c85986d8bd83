// The real thing for as long as it takes: kill -9 of the whole process group, round after round.
import { expect, test } from "vitest";

import { soakInKills } from "../support/kill-soak.ts";
import { verifySoak } from "../support/verify-soak.ts";

const ROUNDS = 30;

test("thirty kills leave every reply whole, and readers in a lost tail with the stored message", async () => {
  const seed = Number(process.env["KILL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  console.info(`KILL_SEED=${seed}`);

  const soak = await soakInKills(ROUNDS, seed);

  const lost = verifySoak(soak);
  const replies = soak.sessions.flatMap((session) => session.replies);
  console.info(`${replies.length} replies, ${lost} events seen that no disk had`);
  expect(replies.length).toBeGreaterThan(soak.sessions.length);
  expect(lost).toBeGreaterThan(0);
}, 900_000);
