// Tells the model the current time in the session's time zone.
import { RUNTIME_HINT_MAX_AGE_MS } from "../../protocol/sessions/limits.ts";
import type { Ability } from "../ability.ts";

/** The `source` of these hints. */
export const RUNTIME_HINT_SOURCE = "runtime";

/** The time zone and the clock of a reply. */
export interface Runtime {
  /** IANA name, known to the engine. */
  readonly time_zone: string;
  /** Unix time in milliseconds. */
  readonly nowMs: () => number;
}

/** @param runtime Null for a session without a time zone, which gets no hint. */
export function runtimeAbility(runtime: Runtime | null): Ability {
  return {
    name: "runtime",
    hint: {
      source: RUNTIME_HINT_SOURCE,
      // The time was true at its place in the conversation, and a later reply begins with a time of its own.
      outlivesReply: true,
      text({ message }) {
        if (!runtime) return null;
        const nowMs = runtime.nowMs();
        const last = message.content
          .filter((block) => block.type === "hint" && block.source === RUNTIME_HINT_SOURCE)
          .at(-1);
        const isFresh = last && nowMs - Date.parse(last.created_at) < RUNTIME_HINT_MAX_AGE_MS;
        return isFresh ? null : describeTime(nowMs, runtime.time_zone);
      },
    },
  };
}

/** `It is Saturday, 2026-11-21, 17:24 in Europe/Berlin (GMT+01:00).` */
function describeTime(nowMs: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    weekday: "long",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "longOffset",
  });
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  const date = `${part("year")}-${part("month")}-${part("day")}`;
  const time = `${part("hour")}:${part("minute")}`;
  return `It is ${part("weekday")}, ${date}, ${time} in ${timeZone} (${part("timeZoneName")}).`;
}
