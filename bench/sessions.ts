// Runs several conversations of one peer concurrently.
import { setTimeout as sleep } from "node:timers/promises";

import type { TokenReader } from "./clients/token-reader.ts";
import type { ModelScript } from "./model/model-script.ts";
import type { Peer, PeerSession } from "./peers/peer.ts";

export function openSessions(peer: Peer, count: number): Promise<readonly PeerSession[]> {
  return Promise.all(Array.from({ length: count }, () => peer.openSession()));
}

/** Milliseconds between the starts of replies at reading speed: a simultaneous start would be an additional load. */
const SPREAD_MS = 30;

/**
 * One reply of each session: simultaneous at full speed, otherwise with short intervals.
 * @throws as `replyOf` does.
 */
export async function replyAll(
  sessions: readonly PeerSession[],
  script: ModelScript,
): Promise<readonly TokenReader[]> {
  return Promise.all(
    sessions.map(async (session, index) => {
      if (script.rate > 0) await sleep(index * SPREAD_MS);
      return replyOf(session, script);
    }),
  );
}

/** @throws when a token is missing, out of order or repeated. */
export async function replyOf(session: PeerSession, script: ModelScript): Promise<TokenReader> {
  const reader = await session.reply(script);
  const expected = (script.reasoning ?? 0) + script.tokens;
  const came = reader.agesMs.length;
  if (came !== expected) throw new Error(`${came} of ${expected} tokens came in order`);
  const again = session.tellsAgain ? expected : 0;
  if (reader.strays !== again) throw new Error(`${reader.strays} tokens came out of turn`);
  return reader;
}

export interface WrittenRows {
  /** Rows in the sessions' own storage; null where they are not counted. */
  readonly own: number | null;
  /** Rows in the shared database. */
  readonly shared: number | null;
}

export async function countRows(
  peer: Peer,
  sessions: readonly PeerSession[],
): Promise<WrittenRows> {
  const own = await Promise.all(sessions.map(async (session) => session.rowsWritten?.()));
  const shared = await peer.databaseRowsWritten?.();
  return {
    own: own.reduce<number | null>((sum, rows) => addRows(sum, rows), 0),
    shared: shared ?? null,
  };
}

function addRows(sum: number | null, rows: number | undefined): number | null {
  return sum === null || rows === undefined ? null : sum + rows;
}

export function closeSessions(sessions: readonly PeerSession[]): void {
  for (const session of sessions) session.close?.();
}
