// A session's log, its events written briefly.
import type { LoggedEvent } from "../../protocol/events.ts";
import { parseEvent } from "../../protocol/parse.ts";

/** When every event of such a log was. */
export const LOGGED_AT = "2026-01-01T00:00:00.000Z";

/** Of reply `rep_1`, unless an event names another one, or `reply_id: undefined` for none. */
export function agUiLog(...events: readonly object[]): LoggedEvent[] {
  return events.map((event, index) => {
    const isOutside = "name" in event && event.name === "message_added";
    const owner = isOutside ? {} : { reply_id: "rep_1" };
    const parsed = parseEvent({ id: "e", created_at: LOGGED_AT, ...owner, ...event });
    return { ...parsed, seq: index + 1 };
  });
}
