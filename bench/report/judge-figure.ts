// A figure against its targets.
import type { Figure, Target } from "../cell.ts";
import type { PeerName } from "../peers/peer.ts";
import { quantile } from "../statistics.ts";
import { formatNumber, formatValue } from "./format-value.ts";

export interface Verdict {
  /** Null when there was nothing to hold it against. */
  readonly isMet: boolean | null;
  readonly text: string;
}

export const FLOOR: PeerName = "raw";
const PLATFORM: PeerName = "reprise";

export function judgeFigure({ name, unit, samples, targets = [] }: Figure): readonly Verdict[] {
  return targets.map((target) => {
    const reached = reach(samples, target);
    const [bound, isMet] = holdAgainst(reached, target);
    const [wanted, got] =
      target.type === "ratio"
        ? [`${bound} × ${target.to}`, `${formatNumber(reached)} ×`]
        : target.type === "over"
          ? [`${bound} ${unit} over ${target.peer}`, formatValue(reached, unit)]
          : [`${bound} ${unit}`, formatValue(reached, unit)];
    if (Number.isNaN(reached)) return { isMet: null, text: `${name}: ${wanted}: not measured` };
    return { isMet, text: `${name}: ${wanted}: ${isMet ? "met" : "MISSED"}, ${got}` };
  });
}

/** Of each round in which both were measured: this one's value over the other's. */
export function ratiosTo(
  samples: Figure["samples"],
  name: PeerName,
  other: PeerName,
): readonly number[] {
  return pair(samples, name, other).map(([value, against]) => value / against);
}

function reach(samples: Figure["samples"], target: Target): number {
  switch (target.type) {
    case "ratio":
      return quantile(ratiosTo(samples, PLATFORM, target.to), 0.5);
    case "over": {
      const pairs = pair(samples, PLATFORM, target.peer);
      return quantile(
        pairs.map(([value, against]) => value - against),
        0.5,
      );
    }
    case "value":
      return quantile(samples[PLATFORM] ?? [], 0.5);
    default:
      return target satisfies never;
  }
}

function pair(
  samples: Figure["samples"],
  name: PeerName,
  other: PeerName,
): readonly (readonly [number, number])[] {
  const others = samples[other] ?? [];
  return (samples[name] ?? []).flatMap((value, round) => {
    const against = others[round];
    return against === undefined ? [] : [[value, against] as const];
  });
}

function holdAgainst(reached: number, target: Target): readonly [bound: string, isMet: boolean] {
  const { max = Infinity } = target;
  const min = target.type === "over" ? -Infinity : (target.min ?? -Infinity);
  return [max < Infinity ? `≤ ${max}` : `≥ ${min}`, reached <= max && reached >= min];
}
