// Measures peers in turn, round by round, so that noise of the machine affects all of them.
import type { Peer, PeerName } from "./peers/peer.ts";

export interface TurnOptions {
  readonly peers: readonly Peer[];
  readonly rounds: number;
  /** Milliseconds of total time after which a slow peer gets no further round. */
  readonly patienceMs?: number;
}

/**
 * Measures each peer once per round; the first round is a warm-up.
 * @returns the results by peer, in the order of the rounds.
 */
export async function inTurns<T>(
  { peers, rounds, patienceMs = Infinity }: TurnOptions,
  measure: (peer: Peer) => Promise<T>,
): Promise<ReadonlyMap<PeerName, readonly T[]>> {
  const results = new Map(peers.map(({ name }) => [name, [] as T[]]));
  const spentMs = new Map<PeerName, number>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const peer of peers) {
      const spent = spentMs.get(peer.name) ?? 0;
      const measured = results.get(peer.name);
      // At least one round is counted.
      if (round > 1 && spent > patienceMs) continue;
      const startedAtMs = performance.now();
      const result = await measure(peer);
      spentMs.set(peer.name, spent + performance.now() - startedAtMs);
      if (round > 0) measured?.push(result);
    }
  }
  return results;
}

/** The samples of a figure: one number from each result. */
export function samplesOf<T>(
  results: ReadonlyMap<PeerName, readonly T[]>,
  pick: (result: T) => number | null,
): Partial<Record<PeerName, readonly number[]>> {
  return Object.fromEntries(
    [...results].flatMap(([name, ofPeer]) => {
      const values = ofPeer.map(pick).filter((value) => value !== null);
      return values.length > 0 ? [[name, values]] : [];
    }),
  );
}
