const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
/** Older times are shown as dates. */
const MAX_RELATIVE_MS = 7 * 86_400_000;

/** A moment in the reader's zone and language. @param timestamp UTC ISO 8601. */
export function formatTime(timestamp: string): string {
  return DATE_TIME.format(new Date(timestamp));
}

/** Time that has passed since a moment; the date, when that is a week or more. */
export function formatAge(timestamp: string, nowMs: number): string {
  const passedMs = nowMs - Date.parse(timestamp);
  if (Math.abs(passedMs) >= MAX_RELATIVE_MS) return formatTime(timestamp);
  const unit = UNITS.find(([, ms]) => Math.abs(passedMs) >= ms);
  return unit ? RELATIVE.format(-Math.trunc(passedMs / unit[1]), unit[0]) : "now";
}
