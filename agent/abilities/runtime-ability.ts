// What the agent is told of the moment in which it answers. It stands in the log: the model was told, so the record
// says so.
import type { EventDraft } from "../../protocol/events.ts";
import { RUNTIME_HINT_MAX_AGE_MS } from "../../protocol/limits/sessions.ts";
import type { NewId } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** The `source` of these hints. */
export const RUNTIME_HINT_SOURCE = "runtime";

/** Where and when a reply runs. */
export interface Runtime {
  /** IANA name, known to the engine. */
  readonly time_zone: string;
  /** Unix time in milliseconds. */
  readonly nowMs: () => number;
}

/** What comes before a model call: nothing while the reply was told lately, or the session has no time zone. */
export function runtimeHint(
  { message }: ReplyState,
  runtime: Runtime | null,
  newId: NewId,
): EventDraft[] {
  if (!runtime) return [];
  const nowMs = runtime.nowMs();
  const last = message.content
    .filter((block) => block.type === "hint" && block.source === RUNTIME_HINT_SOURCE)
    .at(-1);
  if (last && nowMs - Date.parse(last.created_at) < RUNTIME_HINT_MAX_AGE_MS) return [];
  return [
    {
      type: "HINT_BLOCK",
      reply_id: message.id,
      block_id: newId("blk"),
      source: RUNTIME_HINT_SOURCE,
      hint: describeTime(nowMs, runtime.time_zone),
    },
  ];
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
