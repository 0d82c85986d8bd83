// Permission decisions across a tenant's sessions: questions, refusals and answers. Written by the sessions' outboxes.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { Decision } from "../../protocol/permission/contract.ts";

/** A copy for lists, without inputs: the record itself is in the session's log. WITHOUT ROWID. */
export const decisions = sqliteTable(
  "decisions",
  {
    tenant_id: text().notNull(),
    decided_at: text().notNull(),
    session_id: text().notNull(),
    /** The event in the session's log, and the place among the decisions of that event. */
    seq: integer().notNull(),
    position: integer().notNull(),
    reply_id: text().notNull(),
    agent_id: text().notNull(),
    end_user_id: text(),
    tool_call_id: text().notNull(),
    tool_name: text().notNull(),
    behavior: text().$type<Decision["behavior"]>().notNull(),
    /** Cut to `MAX_LISTED_REASON_CHARACTERS`. */
    reason: text(),
    rule: text({ mode: "json" }).$type<NonNullable<Decision["rule"]>>(),
    decider_kind: text().$type<Decision["decided_by"]["kind"]>().notNull(),
    /** The credential that answered; null for the platform. */
    decider_id: text(),
    /** Whether the answer changed the input. */
    is_edited: integer({ mode: "boolean" }).notNull(),
    /** The name of the member who answered, at that time; null for others. */
    decider_name: text(),
  },
  (table) => [
    // In the order of the list, whose pages then read no other index.
    primaryKey({
      columns: [table.tenant_id, table.decided_at, table.session_id, table.seq, table.position],
    }),
    index("decisions_session").on(
      table.tenant_id,
      table.session_id,
      table.decided_at,
      table.seq,
      table.position,
    ),
  ],
);
