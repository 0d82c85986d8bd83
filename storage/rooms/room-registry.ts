// The registry as objects and jobs see it: rooms that tell how large they are and for whom they wait, that are to be erased,
// and in which an end user has taken part.
import { and, eq, isNotNull, lte, sql } from "drizzle-orm";

import type { RoomInputRequest } from "../../protocol/rooms/contract.ts";
import { MODERATOR } from "../../protocol/rooms/events.ts";
import { openDatabase } from "../statements/database.ts";
import { releaseUsage } from "../usage/release-usage.ts";
import { usage } from "../usage/table.ts";
import { roomInputs, roomMembers, rooms } from "./table.ts";

/** A room that is to be erased: its object first, its row after it. */
export interface RegisteredRoom {
  readonly id: string;
  readonly tenant_id: string;
}

/** A size is told when it is on disk, and so never refused. */
export async function reportRoomSize(
  database: D1Database,
  { id, tenant_id, bytes }: RegisteredRoom & { readonly bytes: number },
): Promise<void> {
  await database
    .prepare("UPDATE rooms SET bytes = ?3 WHERE id = ?1 AND tenant_id = ?2")
    .bind(id, tenant_id, bytes)
    .run();
}

/** The session of a room's moderator, whom no participant of the room's own view is: its object says which one it is. */
export async function reportModerator(
  database: D1Database,
  { id, tenant_id, session_id }: RegisteredRoom & { readonly session_id: string },
): Promise<void> {
  await database
    .prepare(
      "UPDATE room_members SET session_id = ?3 WHERE room_id = ?1 AND tenant_id = ?2 AND name = ?4",
    )
    .bind(id, tenant_id, session_id, MODERATOR)
    .run();
}

/** The turns of people for which a room waits, all of them: others are over. Those of a room that goes are not written. */
export async function reportRoomInputs(
  database: D1Database,
  { id, tenant_id }: RegisteredRoom,
  inputs: readonly RoomInputRequest[],
): Promise<void> {
  const open = JSON.stringify(inputs.map((input) => input.id));
  await database.batch([
    database
      .prepare(
        `DELETE FROM room_inputs WHERE room_id = ?1 AND tenant_id = ?2
         AND turn_id NOT IN (SELECT value FROM json_each(?3))`,
      )
      .bind(id, tenant_id, open),
    ...inputs.map(({ id: turn_id, participant, form, asked_at, expires_at }) =>
      database
        .prepare(
          `INSERT INTO room_inputs (room_id, turn_id, tenant_id, participant, form, asked_at, expires_at)
           SELECT ?1, ?3, ?2, ?4, ?5, ?6, ?7
           WHERE EXISTS (SELECT 1 FROM rooms WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL)
           ON CONFLICT DO NOTHING`,
        )
        .bind(
          id,
          tenant_id,
          turn_id,
          participant,
          form && JSON.stringify(form),
          asked_at,
          expires_at,
        ),
    ),
  ]);
}

/** Rooms of a tenant, whatever their state. */
export async function listTenantRooms(
  database: D1Database,
  tenantId: string,
  most: number,
): Promise<readonly RegisteredRoom[]> {
  const { results } = await database
    .prepare("SELECT id, tenant_id FROM rooms WHERE tenant_id = ?1 LIMIT ?2")
    .bind(tenantId, most)
    .all<RegisteredRoom>();
  return results;
}

interface OfEndUser {
  readonly tenantId: string;
  readonly endUserId: string;
  /** Only rooms in which the end user was then or before. */
  readonly until: string;
  /** The last id of the page before; empty for the first one. */
  readonly after: string;
  readonly most: number;
}

/** Rooms in which an end user has taken part, by id; not those whose erasure has begun. */
export async function listEndUserRooms(
  database: D1Database,
  { tenantId, endUserId, until, after, most }: OfEndUser,
): Promise<readonly RegisteredRoom[]> {
  const { results } = await database
    .prepare(
      `SELECT DISTINCT m.room_id AS id, m.tenant_id FROM room_members m JOIN rooms r ON r.id = m.room_id
       WHERE m.tenant_id = ?1 AND m.end_user_id = ?2 AND m.room_id > ?3 AND m.joined_at <= ?5 AND r.deleted_at IS NULL
       ORDER BY m.room_id LIMIT ?4`,
    )
    .bind(tenantId, endUserId, after, most, until)
    .all<RegisteredRoom>();
  return results;
}

/**
 * After the room's object has redacted what the end user has said: the registry knows them there no more, and what they have
 * said there is nobody's usage.
 */
export async function forgetEndUser(
  database: D1Database,
  { id, tenant_id }: RegisteredRoom,
  { endUserId, until }: Pick<OfEndUser, "endUserId" | "until">,
): Promise<void> {
  const tables = openDatabase(database);
  const isTheirs = and(
    eq(roomMembers.room_id, id),
    eq(roomMembers.tenant_id, tenant_id),
    eq(roomMembers.end_user_id, endUserId),
    lte(roomMembers.joined_at, until),
  );
  await tables.batch([
    tables.update(roomMembers).set({ end_user_id: null }).where(isTheirs),
    ...releaseUsage(tables, {
      tenantId: tenant_id,
      sessionId: id,
      when: eq(usage.end_user_id, endUserId),
    }),
  ]);
}

/** Rooms whose erasure has begun and not ended, the oldest first. */
export async function findLeftRooms(
  database: D1Database,
  most: number,
): Promise<readonly RegisteredRoom[]> {
  const { results } = await database
    .prepare(
      "SELECT id, tenant_id FROM rooms WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT ?1",
    )
    .bind(most)
    .all<RegisteredRoom>();
  return results;
}

/** Begins the erasure of a room. @returns false when there is no such room. */
export async function markRoom(
  database: D1Database,
  { id, tenant_id }: RegisteredRoom,
  now: string,
): Promise<boolean> {
  const row = await database
    .prepare(
      "UPDATE rooms SET deleted_at = coalesce(deleted_at, ?3) WHERE id = ?1 AND tenant_id = ?2 RETURNING id",
    )
    .bind(id, tenant_id, now)
    .first();
  return row !== null;
}

/** The rows of a room whose object is erased. What was said there stays the tenant's usage, and is no end user's. */
export async function removeRoom(
  database: D1Database,
  { id, tenant_id }: RegisteredRoom,
): Promise<void> {
  const tables = openDatabase(database);
  const ofRoom = (table: typeof roomInputs | typeof roomMembers) =>
    and(eq(table.room_id, id), eq(table.tenant_id, tenant_id));
  const isRow = and(eq(rooms.id, id), eq(rooms.tenant_id, tenant_id));
  await tables.batch([
    tables.delete(roomInputs).where(ofRoom(roomInputs)),
    tables.delete(roomMembers).where(ofRoom(roomMembers)),
    tables.delete(rooms).where(and(isRow, isNotNull(rooms.deleted_at))),
    ...releaseUsage(tables, { tenantId: tenant_id, sessionId: id, when: sql`true` }),
  ]);
}
