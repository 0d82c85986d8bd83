// A cell of the benchmark: one thing that is measured, of one peer or of several beside each other.
import type { MockModel } from "./model/start-model.ts";
import type { Peer, PeerName } from "./peers/peer.ts";
import type { Reprise } from "./peers/reprise.ts";

export interface Cell {
  /** What the command line calls it. */
  readonly name: string;
  /** One line for the heading of its figures: what is done, how often. */
  readonly title: string;
  /** Part of `npm run bench -- quick`. */
  readonly isQuick: boolean;
  run(bench: Bench): Promise<readonly Figure[]>;
}

/** What a cell may use. All of it runs before the first cell begins and until the last one has ended. */
export interface Bench {
  readonly model: MockModel;
  /** The floor first. Which ones there are depends on what is installed. */
  readonly peers: readonly Peer[];
  readonly reprise: Reprise;
  /** How often a measurement is repeated; its warm-up is not counted. */
  readonly rounds: number;
  readonly isQuick: boolean;
}

export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  /** Of each round, in order, by who was measured. Rounds with one number are rounds of one time. */
  readonly samples: Partial<Record<PeerName, readonly number[]>>;
  /** The platform at growing sizes of something, the least first; `samples` are those of the greatest. */
  readonly growth?: readonly GrowthStep[];
  readonly targets?: readonly Target[];
}

interface GrowthStep {
  readonly size: string;
  readonly samples: readonly number[];
}

export type Unit = "ms" | "s" | "tokens/s" | "rows" | "KB" | "MB" | "per second" | "count" | "×";

/** What the median for the platform is held against. */
export type Target =
  /** Over the peer's, in the same round. */
  | { readonly type: "ratio"; readonly to: PeerName; readonly max?: number; readonly min?: number }
  /** Less the peer's, in the same round. */
  | { readonly type: "over"; readonly peer: PeerName; readonly max: number }
  | { readonly type: "value"; readonly max?: number; readonly min?: number }
  /** At the greatest size over that at the least. */
  | { readonly type: "flat"; readonly max: number };
