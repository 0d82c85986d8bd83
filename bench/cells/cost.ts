// The cost of one conversation on the platform that both designs run on: the units that they use, at its prices.
import { setTimeout as sleep } from "node:timers/promises";

import type { Bench, Cell, Figure, Unit } from "../cell.ts";
import { costOf, type Cost, type Usage } from "../cost/cost-of.ts";
import { inTurns, samplesOf } from "../in-turns.ts";
import type { Peer, PeerName } from "../peers/peer.ts";
import type { Reprise } from "../peers/reprise.ts";
import { closeSessions, openSessions, replyOf } from "../sessions.ts";

const SESSIONS = 16;
const TOKENS = 450;
const TOKENS_PER_SECOND = 50;
const SCRIPT = { tokens: TOKENS, rate: TOKENS_PER_SECOND };
const REPLIES = 1_000;
/** Milliseconds between the starts of two replies. */
const SPREAD_MS = 30;
/** Milliseconds until background work at a reply's end is done. */
const SETTLE_MS = 2_000;
/**
 * Requests of `cf-agents`: one upgrade to a WebSocket, and one message on it, of which twenty are billed as a request.
 */
const SOCKET_REQUESTS = 1;
const MESSAGE_REQUESTS = 1 / 20;
/** Requests of the platform: the session, and its reply. */
const OWN_REQUESTS = 2;

/** Depends on the machine's load only through the seconds, which the model's speed decides. */
export const cost: Cell = {
  name: "cost",
  title: `a new conversation with one reply of ${TOKENS} tokens at ${TOKENS_PER_SECOND} tokens/s, mean of ${SESSIONS}; dollars for ${REPLIES.toLocaleString("en-US")} of them`,
  isQuick: false,
  async run({ peers, reprise, rounds }: Bench) {
    const counting = peers.filter((peer) => peer.readObjects !== undefined);
    const results = await inTurns({ peers: counting, rounds }, (peer) => measure(peer, reprise));
    const used = (name: string, unit: Unit, pick: (usage: Usage) => number): Figure => ({
      name,
      unit,
      samples: samplesOf(results, pick),
    });
    const dollars = (name: string, pick: (cost: Cost) => number): Figure =>
      used(name, "$", (usage) => pick(costOf(usage)) * REPLIES);
    return [
      used("requests of the Worker", "count", (usage) => usage.worker_requests),
      used("calls and alarms of objects", "count", (usage) => usage.object_requests),
      used("time of objects", "s", (usage) => usage.object_seconds),
      used("rows written in objects", "rows", (usage) => usage.object_rows_written),
      used("rows read in D1", "rows", (usage) => usage.d1_rows_read),
      used("rows written in D1", "rows", (usage) => usage.d1_rows_written),
      used("kept in objects", "KB", (usage) => usage.object_bytes / 1_000),
      used("kept in D1", "KB", (usage) => usage.d1_bytes / 1_000),
      dollars("requests", ({ requests }) => requests),
      dollars("time", ({ duration }) => duration),
      dollars("rows", ({ rows }) => rows),
      dollars("all of it", ({ requests, duration, rows }) => requests + duration + rows),
      dollars("and for each month kept", ({ stored_month }) => stored_month),
    ];
  },
};

async function measure(peer: Peer, reprise: Reprise): Promise<Usage> {
  const isOwn = peer.name === ("reprise" satisfies PeerName);
  const before = await readAll(peer, reprise);
  const sessions = await openSessions(peer, SESSIONS);
  const seconds = await Promise.all(
    sessions.map(async (session, index) => {
      await sleep(index * SPREAD_MS);
      const startedMs = performance.now();
      await replyOf(session, SCRIPT);
      return (performance.now() - startedMs) / 1_000;
    }),
  );
  await sleep(SETTLE_MS);
  const after = await readAll(peer, reprise);
  const bytes = await Promise.all(
    sessions.map(async (session) => (await session.storedBytes?.()) ?? 0),
  );
  closeSessions(sessions);
  const mean = (total: number): number => total / SESSIONS;
  const d1 = (name: "rows_read" | "rows_written" | "size_bytes"): number =>
    isOwn ? mean(after.database[name] - before.database[name]) : 0;
  return {
    worker_requests: isOwn ? OWN_REQUESTS : SOCKET_REQUESTS,
    object_requests:
      mean(after.objects.requests - before.objects.requests) + (isOwn ? 0 : MESSAGE_REQUESTS),
    object_seconds: mean(seconds.reduce((sum, one) => sum + one, 0)),
    object_rows_written: mean(after.objects.rows_written - before.objects.rows_written),
    d1_rows_read: d1("rows_read"),
    d1_rows_written: d1("rows_written"),
    object_bytes: mean(bytes.reduce((sum, size) => sum + size, 0)),
    d1_bytes: d1("size_bytes"),
  };
}

async function readAll(peer: Peer, reprise: Reprise) {
  const [objects, database] = await Promise.all([peer.readObjects?.(), reprise.readDatabase()]);
  if (!objects) throw new Error(`${peer.name} does not count what its objects use`);
  return { objects, database };
}
