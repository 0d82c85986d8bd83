// Everything that cells use, started before the first of them.
import type { Bench } from "./cell.ts";
import { startModel, type MockModel } from "./model/start-model.ts";
import { areAgentsInstalled, startAgents } from "./peers/cf-agents.ts";
import type { Peer, PeerName } from "./peers/peer.ts";
import { startNode } from "./peers/node.ts";
import { startRaw } from "./peers/raw.ts";
import { startReprise } from "./peers/reprise.ts";
import { startRowPerToken } from "./peers/row-per-token.ts";
import type { Options } from "./read-options.ts";

export interface StartedBench extends Bench {
  stop(): Promise<void>;
}

export async function startBench(options: Options): Promise<StartedBench> {
  const { rounds, isQuick } = options;
  const model = await startModel();
  const peers: Peer[] = [];
  async function stop(): Promise<void> {
    await Promise.all(peers.map((peer) => peer.stop()));
    model.stop();
  }

  try {
    peers.push(await startRaw(model));
    const reprise = await startReprise(model);
    peers.push(reprise);
    for (const name of options.peers) {
      const peer = await startOther(name, model);
      if (peer) peers.push(peer);
    }
    return { model, peers, reprise, rounds, isQuick, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Null when what it needs is not installed. */
async function startOther(name: PeerName, model: MockModel): Promise<Peer | null> {
  if (name === "row-per-token") return startRowPerToken(model);
  if (name === "node") return startNode(model);
  if (areAgentsInstalled()) return startAgents(model);
  console.error("cf-agents is left out; `npm ci --prefix bench` installs it");
  return null;
}
