import type { SeriesPoint } from "../../../sdk/index.ts";

interface PointSums {
  readonly replies: number;
  readonly failed: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Null when the cost of one of the replies is not known. */
  readonly cost_usd: number | null;
  /** Types of errors with their replies, most first. */
  readonly errors: readonly (readonly [type: string, replies: number])[];
}

/** Sums over all points of a series. */
export function sumPoints(points: readonly SeriesPoint[]): PointSums {
  const sum = (of: (point: SeriesPoint) => number) =>
    points.reduce((total, point) => total + of(point), 0);
  const types = new Set(points.flatMap(({ error_types }) => Object.keys(error_types)));
  const errors = Array.from(
    types,
    (type) => [type, sum(({ error_types }) => error_types[type] ?? 0)] as const,
  );
  return {
    replies: sum(({ replies }) => replies),
    failed: sum(({ error }) => error),
    input_tokens: sum(({ input_tokens }) => input_tokens),
    output_tokens: sum(({ output_tokens }) => output_tokens),
    cost_usd: points.some(({ cost_usd }) => cost_usd === null)
      ? null
      : sum(({ cost_usd }) => cost_usd ?? 0),
    errors: errors.toSorted(([, one], [, other]) => other - one),
  };
}
