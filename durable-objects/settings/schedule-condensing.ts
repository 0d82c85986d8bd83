import type { EventOf } from "../../protocol/events.ts";
import { MAX_CONDENSING_DELAY_MS } from "../../protocol/events/limits.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { Timers } from "../tables/timers.ts";

const MS_PER_SECOND = 1_000;
/** Parts of the retention up to which a reply may wait longer, for others of its session. */
const DELAY_PARTS = 8;

/**
 * Part of the transaction in which a reply ends: from when on its log may be condensed. The agent's version that the reply
 * ran with counts, whatever the session is set to later. No write for an agent without `log_retention`.
 */
export function scheduleCondensing(
  timers: Timers,
  { agent, created_at }: Pick<SessionInit, "agent" | "created_at">,
  { reply_id: id, created_at: endedAt }: EventOf<"REPLY_END">,
): void {
  if (!agent.log_retention) return;
  const retentionMs = agent.log_retention * MS_PER_SECOND;
  // The times of a session are rounded up to a grid that begins with it, so that neither each of its replies has an alarm
  // of its own nor all sessions have theirs at once.
  const gridMs = Math.min(retentionMs / DELAY_PARTS, MAX_CONDENSING_DELAY_MS);
  const startMs = Date.parse(created_at) || 0;
  const sinceMs = Date.parse(endedAt) + retentionMs - startMs;
  timers.set({ kind: "condense", id }, startMs + Math.ceil(sinceMs / gridMs) * gridMs);
}
