// The age of what is known of models. It is told and fails nothing: time alone would break a build.
interface Dated {
  readonly read: string;
}

/** An age from which a price list is worth reading again. */
const OLD_DAYS = 90;
const DAY_MS = 24 * 3_600_000;

/** One line for `npm run check`. */
export function describePresetAge(presets: readonly Dated[], nowMs: number): string {
  const days = presets.map(({ read }) => read).toSorted();
  const old = days.filter((day) => nowMs - Date.parse(day) > OLD_DAYS * DAY_MS);
  return `${days.length} presets, read from ${days[0]} to ${days.at(-1)}, ${old.length} over ${OLD_DAYS} days ago`;
}
