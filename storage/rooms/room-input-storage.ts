// Turns of people for which a tenant's rooms wait.
import { and, asc, eq, isNull, sql } from "drizzle-orm";

import { isId } from "../../protocol/ids.ts";
import type { ListedRoomInput } from "../../protocol/rooms/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { Database } from "../statements/database.ts";
import { decodeToken, toPage } from "../statements/page.ts";
import { roomInputs, roomMembers, rooms } from "./table.ts";

/** A place in the list: ids of turns sort by time in one room alone. */
export interface RoomInputPosition {
  readonly asked_at: string;
  readonly id: string;
}

interface RoomInputRequest {
  readonly roomId?: string | undefined;
  readonly endUserId?: string | undefined;
  readonly after?: RoomInputPosition | undefined;
  readonly limit: number;
}

export interface RoomInputStorage {
  /** Oldest first. */
  list(request: RoomInputRequest): Promise<Page<ListedRoomInput>>;
}

export function roomInputStorage(database: Database, tenantId: string): RoomInputStorage {
  return {
    async list({ roomId, endUserId, after, limit }) {
      const rows = await database
        .select({
          id: roomInputs.turn_id,
          room_id: roomInputs.room_id,
          participant: roomInputs.participant,
          end_user_id: roomMembers.end_user_id,
          form: roomInputs.form,
          asked_at: roomInputs.asked_at,
          expires_at: roomInputs.expires_at,
        })
        .from(roomInputs)
        .innerJoin(rooms, and(eq(rooms.id, roomInputs.room_id), isNull(rooms.deleted_at)))
        .leftJoin(
          roomMembers,
          and(
            eq(roomMembers.room_id, roomInputs.room_id),
            eq(roomMembers.name, roomInputs.participant),
          ),
        )
        .where(
          and(
            eq(roomInputs.tenant_id, tenantId),
            roomId === undefined ? undefined : eq(roomInputs.room_id, roomId),
            endUserId === undefined ? undefined : eq(roomMembers.end_user_id, endUserId),
            after &&
              sql`(${roomInputs.asked_at}, ${roomInputs.turn_id}) > (${after.asked_at}, ${after.id})`,
          ),
        )
        .orderBy(asc(roomInputs.asked_at), asc(roomInputs.turn_id))
        .limit(limit + 1);
      return toPage(rows, limit, ({ asked_at, id }) => `${asked_at} ${id}`);
    },
  };
}

/** Decodes the `page` query parameter; null for an invalid token. */
export function decodeRoomInputPosition(token: string): RoomInputPosition | null {
  const [asked_at = "", id = "", ...more] = decodeToken(token)?.split(" ") ?? [];
  if (more.length > 0 || !isId("trn", id) || !/^[\dT:.-]{23}Z$/.test(asked_at)) return null;
  return { asked_at, id };
}
