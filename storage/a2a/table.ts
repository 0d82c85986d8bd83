// Tasks of A2A, for lists over all of an agent's contexts. A task is a reply, whose content is in its session's object: here is
// how it stands, for a month from its beginning.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { A2aTaskState } from "../../protocol/a2a/wire.ts";
import { tenantRow } from "../tables/shared-columns.ts";

export const a2aTasks = sqliteTable(
  "a2a_tasks",
  {
    ...tenantRow,
    agent_id: text().notNull(),
    session_id: text().notNull(),
    /** The session's id, or the client's own name of it. */
    context_id: text().notNull(),
    end_user_id: text(),
    state: text().$type<A2aTaskState>().notNull(),
    /** Since when it is so; lists are in this order. */
    status_at: text().notNull(),
    created_at: text().notNull(),
    /** Of the outbox's entry that has written it; 0 before the first. */
    entry: integer().notNull(),
  },
  (table) => [
    index("a2a_tasks_agent").on(table.tenant_id, table.agent_id, table.status_at, table.id),
    index("a2a_tasks_end_user")
      .on(table.tenant_id, table.end_user_id, table.agent_id, table.status_at, table.id)
      .where(sql`${table.end_user_id} IS NOT NULL`),
    index("a2a_tasks_session").on(table.tenant_id, table.session_id),
  ],
);
