// The registry of rooms. What is said is in an object for each room; D1 knows which rooms there are and who takes part, so that
// lists, the erasure of an end user and the closing of a tenant find them.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

import type { RoomTurns } from "../../protocol/rooms/contract.ts";
import { tenantRow } from "../tables/shared-columns.ts";

export const rooms = sqliteTable(
  "rooms",
  {
    ...tenantRow,
    title: text(),
    metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    turns: text({ mode: "json" }).$type<RoomTurns>().notNull(),
    /** Of the object's database, as it has told them. */
    bytes: integer().notNull().default(0),
    created_at: text().notNull(),
    /** A hash of the key of the request that made it, so that the same request finds it; null without one. */
    request_key: text(),
    /** When its erasure began; the row goes last. */
    deleted_at: text(),
  },
  (table) => [
    index("rooms_tenant").on(table.tenant_id, table.id),
    uniqueIndex("rooms_request")
      .on(table.tenant_id, table.request_key)
      .where(sql`${table.request_key} IS NOT NULL`),
    index("rooms_deleted")
      .on(table.deleted_at)
      .where(sql`${table.deleted_at} IS NOT NULL`),
  ],
);

/** All who have ever taken part, and the moderator under that name: what somebody has said stays when they leave. */
export const roomMembers = sqliteTable(
  "room_members",
  {
    room_id: text().notNull(),
    name: text().notNull(),
    tenant_id: text().notNull(),
    kind: text().$type<"agent" | "person">().notNull(),
    /** The order in which they came. */
    number: integer().notNull(),
    /** Null for a person. */
    agent_id: text(),
    session_id: text(),
    /** Null for an agent, and for a person whom the tenant has not named. */
    end_user_id: text(),
    joined_at: text().notNull(),
    left_at: text(),
  },
  (table) => [
    primaryKey({ columns: [table.room_id, table.name] }),
    index("room_members_tenant").on(table.tenant_id, table.room_id),
    index("room_members_agent")
      .on(table.tenant_id, table.agent_id, table.room_id)
      .where(sql`${table.agent_id} IS NOT NULL`),
    index("room_members_end_user")
      .on(table.tenant_id, table.end_user_id, table.room_id)
      .where(sql`${table.end_user_id} IS NOT NULL`),
  ],
);

/** Turns of people for which rooms wait, as their objects have told them: the inbox reads them across rooms. */
export const roomInputs = sqliteTable(
  "room_inputs",
  {
    room_id: text().notNull(),
    turn_id: text().notNull(),
    tenant_id: text().notNull(),
    participant: text().notNull(),
    /** Null where a text is asked for. */
    form: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>(),
    asked_at: text().notNull(),
    expires_at: text(),
  },
  (table) => [
    primaryKey({ columns: [table.room_id, table.turn_id] }),
    index("room_inputs_tenant").on(table.tenant_id, table.asked_at, table.turn_id),
  ],
);
