import { formatAge, formatTime } from "./format-time.ts";

/** A moment: how long ago, and the exact time on hover. @param at UTC ISO 8601. */
export function TimeStamp({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={`${formatTime(at)} (${at})`}>
      {formatAge(at, Date.now())}
    </time>
  );
}
