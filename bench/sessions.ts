// Several conversations of one peer at once.
import { setTimeout as sleep } from "node:timers/promises";

import type { TokenReader } from "./clients/token-reader.ts";
import type { ModelScript } from "./model/model-script.ts";
import type { Peer, PeerSession } from "./peers/peer.ts";

export function openSessions(peer: Peer, count: number): Promise<readonly PeerSession[]> {
  return Promise.all(Array.from({ length: count }, () => peer.openSession()));
}

/** Milliseconds from one beginning to the next where people read along: all at once would be a load of its own. */
const SPREAD_MS = 30;

/**
 * A reply of each: at full speed all at once, else shortly one after the other.
 * @throws when a token is missing or out of order.
 */
export async function replyAll(
  sessions: readonly PeerSession[],
  script: ModelScript,
): Promise<readonly TokenReader[]> {
  const readers = await Promise.all(
    sessions.map(async (session, index) => {
      if (script.rate > 0) await sleep(index * SPREAD_MS);
      return session.reply(script);
    }),
  );
  const expected = (script.reasoning ?? 0) + script.tokens;
  for (const { agesMs } of readers) {
    if (agesMs.length !== expected) throw new Error(`${agesMs.length} of ${expected} tokens came`);
  }
  return readers;
}

export interface WrittenRows {
  /** By the sessions' own storage; null where nobody counts. */
  readonly own: number | null;
  /** In a database that they share. */
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
