// `npm run bench [-- quick] [-- --check] [-- --rounds=N] [-- --only=cell,cell] [-- --peers=name,name]`
import { CELLS } from "./cells.ts";
import type { Cell } from "./cell.ts";
import type { PeerName } from "./peers/peer.ts";

export interface Options {
  readonly isQuick: boolean;
  /** Whether to fail when a target is missed. */
  readonly isChecked: boolean;
  readonly rounds: number;
  readonly cells: readonly Cell[];
  /** Peers besides the floor and the platform. */
  readonly peers: readonly PeerName[];
  /** Whether no cell, peer or round is left out, so that the figures are stored. */
  readonly isWhole: boolean;
}

const PEERS: readonly PeerName[] = ["cf-agents", "row-per-token", "node"];
const ROUNDS = 3;
const QUICK_ROUNDS = 1;

const KNOWN = "quick, --check, --rounds=N, --only=cell,cell, --peers=name,name";

/** @throws on an unknown argument. */
export function readOptions(parameters: readonly string[]): Options {
  const isQuick = parameters.includes("quick");
  let rounds = isQuick ? QUICK_ROUNDS : ROUNDS;
  let cells = isQuick ? CELLS.filter((cell) => cell.isQuick) : CELLS;
  let peers = PEERS;
  let isWhole = !isQuick;
  for (const parameter of parameters) {
    const [name, value = ""] = parameter.split("=", 2);
    if (parameter === "quick" || parameter === "--check") continue;
    if (name === "--rounds") {
      rounds = Number(value);
      if (!Number.isSafeInteger(rounds) || rounds < 1) {
        throw new Error("--rounds takes a whole number above 0");
      }
      if (rounds < ROUNDS) isWhole = false;
    } else if (name === "--only") {
      cells = value.split(",").map(findCell);
      isWhole = false;
    } else if (name === "--peers") {
      peers = value === "" ? [] : value.split(",").map(findPeer);
      isWhole = false;
    } else {
      throw new Error(`${parameter} is not known: ${KNOWN}`);
    }
  }
  return { isQuick, isChecked: parameters.includes("--check"), rounds, cells, peers, isWhole };
}

function findPeer(name: string): PeerName {
  const peer = PEERS.find((candidate) => candidate === name);
  if (peer) return peer;
  throw new Error(`no peer ${name}; there are ${PEERS.join(", ")}`);
}

function findCell(name: string): Cell {
  const cell = CELLS.find((candidate) => candidate.name === name);
  if (cell) return cell;
  throw new Error(`no cell ${name}; there are ${CELLS.map((each) => each.name).join(", ")}`);
}
