// Triggers as their tenants define them. Runs are in an object for each trigger; D1 has what lists, quotas, the revocation of a
// key, the deletion of an agent, the erasure of an end user and the closing of a tenant have to find.
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type {
  PausedReason,
  Trigger,
  TriggerDefinition,
  TriggerStatus,
  WebhookForm,
} from "../../protocol/triggers/contract.ts";
import type { SealedSecret } from "../secrets/credential-cipher.ts";
import { changeTimes, tenantRow } from "../tables/shared-columns.ts";

export const triggers = sqliteTable(
  "triggers",
  {
    ...tenantRow,
    /** The agent that answers; null where a room does. */
    agent_id: text(),
    room_id: text(),
    definition: text({ mode: "json" }).$type<TriggerDefinition>().notNull(),
    metadata: text({ mode: "json" }).$type<Trigger["metadata"]>().notNull(),
    /** A fixed end user of its sessions. */
    end_user_id: text(),
    /** Whether it has, or once had, an end user: runs may be of one who is to be erased. */
    names_end_users: integer({ mode: "boolean" }).notNull().default(false),
    webhook_form: text().$type<WebhookForm>(),
    sealed: text().$type<SealedSecret>(),
    /** The secret before the last rotation; accepted too until it expires. */
    old_sealed: text().$type<SealedSecret>(),
    old_secret_expires_at: text(),
    status: text().$type<TriggerStatus>().notNull(),
    paused_reason: text({ mode: "json" }).$type<PausedReason>(),
    /** Times of the schedule are due behind this one: its making, its last change, or the end of a pause. */
    due_after: text().notNull(),
    /** Incremented by each change; the object ignores older ones. */
    revision: integer().notNull().default(1),
    /** The revision that the object was told; the sweep tells it another one. */
    armed_revision: integer().notNull().default(0),
    origin: text(),
    /** Told by the object. */
    last_run_at: text(),
    failures_in_row: integer().notNull().default(0),
    missed_runs: integer().notNull().default(0),
    created_by_key_id: text(),
    ...changeTimes,
    /** When its erasure began; the row goes last. */
    deleted_at: text(),
  },
  (table) => [
    index("triggers_tenant").on(table.tenant_id, table.id),
    index("triggers_agent").on(table.tenant_id, table.agent_id, table.id),
    index("triggers_room")
      .on(table.tenant_id, table.room_id, table.id)
      .where(sql`${table.room_id} IS NOT NULL`),
    index("triggers_maker").on(table.tenant_id, table.created_by_key_id),
    index("triggers_end_users")
      .on(table.tenant_id, table.id)
      .where(sql`${table.names_end_users} = 1`),
    index("triggers_unarmed")
      .on(table.updated_at)
      .where(sql`${table.armed_revision} <> ${table.revision} AND ${table.deleted_at} IS NULL`),
    index("triggers_deleted")
      .on(table.deleted_at)
      .where(sql`${table.deleted_at} IS NOT NULL`),
  ],
);
