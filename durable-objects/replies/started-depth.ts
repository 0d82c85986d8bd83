import { a2aDepthOf } from "../../protocol/a2a/a2a-mark.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionTables } from "../tables/session-tables.ts";

interface Started {
  readonly log: Pick<SessionLog, "readEvents">;
  readonly tables: Pick<SessionTables, "replies">;
}

/**
 * Agents that have called each other over A2A above a reply that has begun, as its first event says; undefined for none. Costs a
 * row of the log.
 */
export function startedDepth({ log, tables }: Started, replyId: string): number | undefined {
  const after = tables.replies.find(replyId)?.start_cursor;
  if (after === undefined) return undefined;
  const [start] = log.readEvents(after, after + 1)?.events ?? [];
  return (start && a2aDepthOf(start)) ?? undefined;
}
