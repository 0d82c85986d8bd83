// A cell of the benchmark: one measurement, of one or several peers.
import type { MockModel } from "./model/start-model.ts";
import type { Peer, PeerName } from "./peers/peer.ts";
import type { Reprise } from "./peers/reprise.ts";

export interface Cell {
  /** Its name on the command line. */
  readonly name: string;
  /** Heading of its figures: what is done, how often. */
  readonly title: string;
  /** Part of `npm run bench -- quick`. */
  readonly isQuick: boolean;
  run(bench: Bench): Promise<readonly Figure[]>;
}

/** The environment of the cells, started before the first cell and stopped after the last. */
export interface Bench {
  readonly model: MockModel;
  /** The floor first; the others depend on installed packages. */
  readonly peers: readonly Peer[];
  readonly reprise: Reprise;
  /** Repetitions of a measurement, without warm-up. */
  readonly rounds: number;
  readonly isQuick: boolean;
}

export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  /** By peer: one value per round, in order. Equal indexes were measured at about the same time. */
  readonly samples: Partial<Record<PeerName, readonly number[]>>;
  /** The platform at increasing sizes, smallest first; `samples` are those of the largest. */
  readonly growth?: readonly GrowthStep[];
  readonly targets?: readonly Target[];
}

interface GrowthStep {
  readonly size: string;
  readonly samples: readonly number[];
}

export type Unit =
  | "ms"
  | "s"
  | "tokens/s"
  | "rows"
  | "KB"
  | "MB"
  | "per second"
  | "count"
  | "×"
  | "%"
  | "$";

/** The target for the platform's median. */
export type Target =
  /** Ratio to the peer's value of the same round. */
  | { readonly type: "ratio"; readonly to: PeerName; readonly max?: number; readonly min?: number }
  /** Difference to the peer's value of the same round. */
  | { readonly type: "over"; readonly peer: PeerName; readonly max: number }
  | { readonly type: "value"; readonly max?: number; readonly min?: number }
  /** Ratio of the largest size to the smallest. */
  | { readonly type: "flat"; readonly max: number };
