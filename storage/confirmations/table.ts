// The tool calls of a tenant's sessions that wait for a confirmation or an external result. Written by the sessions'
// outboxes.
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { PendingCall } from "../../protocol/replies/contract.ts";

export const pendingCalls = sqliteTable(
  "pending_calls",
  {
    tenant_id: text().notNull(),
    session_id: text().notNull(),
    tool_call_id: text().notNull(),
    /** The outbox entry's number in its session, as in `session_states`. */
    entry: integer().notNull(),
    reply_id: text().notNull(),
    agent_id: text().notNull(),
    end_user_id: text(),
    kind: text({ enum: ["permission", "external_result"] }).notNull(),
    tool_name: text().notNull(),
    /** The pending call as the session returns it; null when it is too large for a row. */
    call: text({ mode: "json" }).$type<PendingCall>(),
    asked_at: text().notNull(),
    expires_at: text(),
  },
  (table) => [
    primaryKey({ columns: [table.session_id, table.tool_call_id] }),
    index("pending_calls_tenant").on(
      table.tenant_id,
      table.asked_at,
      table.session_id,
      table.tool_call_id,
    ),
  ],
);
