// The time scale of a reply's timeline, in which a long wait does not hide the work beside it.
import type { WaterfallRow } from "./lay-out-waterfall.ts";

/** Milliseconds of a wait that stays as long as it is: nobody would miss the rest. */
const SHORT_WAIT_MS = 3_000;
/** Part of the whole work's width that a longer wait has. */
const WAIT_SHARE = 0.25;

export interface TimeScale {
  /** Part of the width at which a moment stands, 0 to 1. */
  readonly at: (milliseconds: number) => number;
  /** The waits that are drawn shorter than they were. */
  readonly shortened: readonly { readonly startMs: number; readonly endMs: number }[];
}

/** Proportional where something works, and where nothing works for a short time. */
export function scaleOf(rows: readonly WaterfallRow[], totalMs: number): TimeScale {
  const pauses = pausesOf(rows, totalMs);
  const workMs = totalMs - pauses.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const shownMs = Math.max(SHORT_WAIT_MS, workMs * WAIT_SHARE);
  const shortened = pauses.filter(({ startMs, endMs }) => endMs - startMs > shownMs);
  const drawn = (milliseconds: number) =>
    shortened.reduce((drawnMs, { startMs, endMs }) => {
      const passedMs = Math.min(Math.max(milliseconds - startMs, 0), endMs - startMs);
      return drawnMs - passedMs * (1 - shownMs / (endMs - startMs));
    }, milliseconds);
  const width = drawn(totalMs);
  return { at: (milliseconds) => drawn(milliseconds) / width, shortened };
}

/** The times in which nothing works, oldest first. */
function pausesOf(rows: readonly WaterfallRow[], totalMs: number): TimeScale["shortened"] {
  const work = rows
    .flatMap(({ bars }) => bars.filter(({ kind }) => kind === "work"))
    .toSorted((one, other) => one.startMs - other.startMs);
  const pauses: { startMs: number; endMs: number }[] = [];
  let reachedMs = 0;
  for (const { startMs, endMs } of [...work, { startMs: totalMs, endMs: totalMs }]) {
    if (startMs > reachedMs) pauses.push({ startMs: reachedMs, endMs: startMs });
    reachedMs = Math.max(reachedMs, endMs);
  }
  return pauses;
}
