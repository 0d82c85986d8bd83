// Compares a figure with its targets.
import type { Figure, Target } from "../cell.ts";
import type { PeerName } from "../peers/peer.ts";
import { quantile } from "../statistics.ts";
import { formatNumber, formatValue } from "./format-value.ts";

export interface Judgement {
  /** Null when it could not be compared. */
  readonly isMet: boolean | null;
  readonly text: string;
}

export const FLOOR: PeerName = "raw";
const PLATFORM: PeerName = "reprise";

export function judgeFigure(figure: Figure): readonly Judgement[] {
  const { name, unit, targets = [] } = figure;
  return targets.map((target) => {
    const reached = reach(figure, target);
    const [bound, isMet] = holdAgainst(reached, target);
    const [wanted, got] =
      target.type === "ratio"
        ? [`${bound} × ${target.to}`, `${formatNumber(reached)} ×`]
        : target.type === "over"
          ? [`${bound} ${unit} over ${target.peer}`, formatValue(reached, unit)]
          : target.type === "flat"
            ? [`${bound} × the least size`, `${formatNumber(reached)} ×`]
            : [`${bound} ${unit}`, formatValue(reached, unit)];
    if (Number.isNaN(reached)) return { isMet: null, text: `${name}: ${wanted}: not measured` };
    return { isMet, text: `${name}: ${wanted}: ${isMet ? "met" : "MISSED"}, ${got}` };
  });
}

/** The ratio to the other peer, for each round in which both were measured. */
export function ratiosTo(
  samples: Figure["samples"],
  name: PeerName,
  other: PeerName,
): readonly number[] {
  return pair(samples, name, other).map(([value, against]) => value / against);
}

/** Ratio of the medians at the largest and the smallest size. */
export function growthOf({ growth = [] }: Figure): number {
  const [least = Number.NaN, greatest = Number.NaN] = [growth.at(0), growth.at(-1)].map((step) =>
    quantile(step?.samples ?? [], 0.5),
  );
  // Zero at both sizes is no growth.
  return greatest === least ? 1 : greatest / least;
}

function reach(figure: Figure, target: Target): number {
  const { samples } = figure;
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
    case "flat":
      return growthOf(figure);
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
  const min = "min" in target ? (target.min ?? -Infinity) : -Infinity;
  return [max < Infinity ? `≤ ${max}` : `≥ ${min}`, reached <= max && reached >= min];
}
