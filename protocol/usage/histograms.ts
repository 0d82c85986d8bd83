// Histograms of the times of replies: how they are cut into buckets.

/** Milliseconds to the first output of a model: from what feels at once to what nobody waits for. */
export const FIRST_OUTPUT_BOUNDS_MS = [250, 500, 1_000, 2_000, 5_000, 15_000] as const;

/** Milliseconds that a call waits: for a person at the screen, for one who is away, and for the next day. */
export const WAIT_BOUNDS_MS = [10_000, 60_000, 600_000, 3_600_000, 28_800_000, 86_400_000] as const;

/** The times of a reply that has ended. */
export interface ReplyTimings {
  /** Until the first output of its first model call; null when there was none. */
  readonly first_output_ms: number | null;
  readonly waits: readonly {
    readonly kind: "permission" | "external_result";
    readonly duration_ms: number;
  }[];
}

/** The place of a time among buckets: each but the last ends before its bound. */
export function bucketOf(timeMs: number, bounds: readonly number[]): number {
  const index = bounds.findIndex((bound) => timeMs < bound);
  return index === -1 ? bounds.length : index;
}
