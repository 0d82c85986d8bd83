// Starts everything that the cells use.
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
  /** Peers whose packages are not installed. */
  readonly missing: readonly PeerName[];
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
    const isMissing = (name: PeerName): boolean => name === "cf-agents" && !areAgentsInstalled();
    for (const name of options.peers) {
      if (!isMissing(name)) peers.push(await startOther(name, model));
    }
    const missing = options.peers.filter(isMissing);
    return { model, peers, reprise, rounds, isQuick, missing, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startOther(name: PeerName, model: MockModel): Promise<Peer> {
  if (name === "row-per-token") return startRowPerToken(model);
  return name === "node" ? startNode(model) : startAgents(model);
}
