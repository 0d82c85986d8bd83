// Time between two looks for changes: short after a change, long while nothing happens, longer while the platform does
// not answer.
interface LookPace {
  readonly ms: number;
  /** Last state, as text; null before the first look. */
  readonly seen: string | null;
}

const FAST_MS = 2_000;
const SLOW_MS = 15_000;
const FAILING_MS = 60_000;

export const FIRST_PACE: LookPace = { ms: FAST_MS, seen: null };

/** After a look that has seen this. */
export function afterLook({ ms, seen }: LookPace, now: string): LookPace {
  return { ms: now === seen ? Math.min(ms * 1.5, SLOW_MS) : FAST_MS, seen: now };
}

/** After a look that got no answer. */
export function afterFailure({ ms, seen }: LookPace): LookPace {
  return { ms: Math.min(ms * 2, FAILING_MS), seen };
}
