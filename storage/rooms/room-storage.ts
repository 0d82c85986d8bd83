// The tenant's own view of its rooms. One whose erasure has begun is not there any more.
import { and, asc, desc, eq, exists, inArray, isNull, lt, sql } from "drizzle-orm";

import type { RoomSummary, RoomTurns } from "../../protocol/rooms/contract.ts";
import { MODERATOR } from "../../protocol/rooms/events.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import { type ListRequest, toPage } from "../statements/page.ts";
import { tenants } from "../tenants/table.ts";
import { roomInputs, roomMembers, rooms } from "./table.ts";

interface NewRoom {
  readonly id: string;
  readonly title: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly turns: RoomTurns;
  readonly created_at: string;
  readonly request_key: string | null;
}

/** A participant as the registry has it, or the moderator; the session is known when the room's object has opened it. */
export interface RegisteredMember {
  readonly name: string;
  readonly kind: "agent" | "person";
  readonly agent_id: string | null;
  readonly session_id: string | null;
  readonly end_user_id: string | null;
  readonly joined_at: string;
}

interface RoomListRequest extends ListRequest {
  readonly agentId?: string | undefined;
  readonly endUserId?: string | undefined;
}

export interface RoomStorage {
  /** The row is before the object, so that whoever erases finds it. False when the tenant is closed. @throws when a quota is used up. */
  insert(room: NewRoom, members: readonly RegisteredMember[]): Promise<boolean>;
  /** The room that a request with this key has made, or has begun to make. */
  findByRequest(requestKey: string): Promise<Pick<NewRoom, "id" | "created_at"> | null>;
  list(request: RoomListRequest): Promise<Page<RoomSummary>>;
  /** The sessions of all who have ever taken part, and of the moderator. */
  sessionsOf(roomId: string): Promise<readonly string[]>;
  isThere(roomId: string): Promise<boolean>;
  /** Names under which an end user has ever taken part. */
  namesOf(roomId: string, endUserId: string): Promise<readonly string[]>;
  update(roomId: string, change: Partial<Pick<NewRoom, "title" | "metadata">>): Promise<boolean>;
  /** Before the object lets somebody join, so that an erasure finds the end user. @throws when a quota is used up. */
  addMember(roomId: string, member: RegisteredMember): Promise<void>;
  /** Of a participant whom the object has refused. */
  dropMember(roomId: string, name: string): Promise<void>;
  /** Sessions and ends of participants, as the object says them. */
  settleMembers(
    roomId: string,
    members: readonly Pick<MemberRow, "name" | "session_id" | "left_at">[],
  ): Promise<void>;
  /** From here on the room is not there; its object and its row are the caller's to erase. False when there is none. */
  beginRemoval(roomId: string, now: string, audit?: WriteAudit): Promise<boolean>;
  /** The row of a room whose object never came to be, with its participants. */
  remove(roomId: string): Promise<void>;
}

type MemberRow = typeof roomMembers.$inferSelect;

export function roomStorage(database: Database, tenantId: string): RoomStorage {
  const isOurs = (roomId: string) => and(eq(rooms.tenant_id, tenantId), eq(rooms.id, roomId));
  const isMember = (roomId: string) =>
    and(eq(roomMembers.tenant_id, tenantId), eq(roomMembers.room_id, roomId));
  const insertMember = (roomId: string, { ...member }: RegisteredMember) => {
    const number = sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM room_members WHERE room_id = ${roomId})`;
    const row = { ...member, room_id: roomId, tenant_id: tenantId, number, left_at: null };
    return database.insert(roomMembers).values(row).onConflictDoNothing();
  };
  /** The participants of a room among whom one fits. */
  const withMember = (where: ReturnType<typeof eq>) =>
    exists(
      database
        .select({ name: roomMembers.name })
        .from(roomMembers)
        .where(and(eq(roomMembers.room_id, rooms.id), eq(roomMembers.tenant_id, tenantId), where)),
    );

  return {
    async insert({ metadata, turns, ...room }, members) {
      const isOpen = and(eq(tenants.id, tenantId), isNull(tenants.deleted_at));
      const inserted = database
        .insert(rooms)
        .select(
          database
            .select({
              id: sql`${room.id}`.as("id"),
              tenant_id: sql`${tenantId}`.as("tenant_id"),
              title: sql`${room.title}`.as("title"),
              metadata: sql`${JSON.stringify(metadata)}`.as("metadata"),
              turns: sql`${JSON.stringify(turns)}`.as("turns"),
              bytes: sql`0`.as("bytes"),
              created_at: sql`${room.created_at}`.as("created_at"),
              request_key: sql`${room.request_key}`.as("request_key"),
              deleted_at: sql`NULL`.as("deleted_at"),
            })
            .from(tenants)
            .where(isOpen),
        )
        .returning({ id: rooms.id });
      const [rows] = await database.batch([
        inserted,
        ...members.map((member) => insertMember(room.id, member)),
      ]);
      return rows.length > 0;
    },

    async findByRequest(requestKey) {
      const [found] = await database
        .select({ id: rooms.id, created_at: rooms.created_at })
        .from(rooms)
        .where(
          and(
            eq(rooms.tenant_id, tenantId),
            eq(rooms.request_key, requestKey),
            isNull(rooms.deleted_at),
          ),
        );
      return found ?? null;
    },

    async list({ agentId, endUserId, before, limit }) {
      const rows = await database
        .select()
        .from(rooms)
        .where(
          and(
            eq(rooms.tenant_id, tenantId),
            isNull(rooms.deleted_at),
            before === undefined ? undefined : lt(rooms.id, before),
            agentId === undefined ? undefined : withMember(eq(roomMembers.agent_id, agentId)),
            endUserId === undefined
              ? undefined
              : withMember(eq(roomMembers.end_user_id, endUserId)),
          ),
        )
        .orderBy(desc(rooms.id))
        .limit(limit + 1);
      const members = await membersOf(rows.map(({ id }) => id));
      return toPage(
        rows.map((row) => toSummary(row, members)),
        limit,
      );
    },

    async sessionsOf(roomId) {
      const rows = await database
        .select({ session_id: roomMembers.session_id })
        .from(roomMembers)
        .where(isMember(roomId));
      return rows.flatMap(({ session_id }) => session_id ?? []);
    },

    async isThere(roomId) {
      const [row] = await database
        .select({ id: rooms.id })
        .from(rooms)
        .where(and(isOurs(roomId), isNull(rooms.deleted_at)));
      return row !== undefined;
    },

    async namesOf(roomId, endUserId) {
      const rows = await database
        .select({ name: roomMembers.name })
        .from(roomMembers)
        .where(and(isMember(roomId), eq(roomMembers.end_user_id, endUserId)));
      return rows.map(({ name }) => name);
    },

    async update(roomId, { title, metadata }) {
      const found = await database
        .update(rooms)
        .set({
          ...(title !== undefined && { title }),
          ...(metadata && { metadata: { ...metadata } }),
        })
        .where(and(isOurs(roomId), isNull(rooms.deleted_at)))
        .returning({ id: rooms.id });
      return found.length > 0;
    },

    async addMember(roomId, member) {
      await insertMember(roomId, member);
    },

    async dropMember(roomId, name) {
      await database.delete(roomMembers).where(and(isMember(roomId), eq(roomMembers.name, name)));
    },

    async settleMembers(roomId, members) {
      const [first, ...others] = members.map(({ name, session_id, left_at }) =>
        database
          .update(roomMembers)
          .set({ session_id, left_at })
          .where(and(isMember(roomId), eq(roomMembers.name, name))),
      );
      if (first) await database.batch([first, ...others]);
    },

    async beginRemoval(roomId, now, audit) {
      const [rows] = await database.batch([
        database
          .update(rooms)
          .set({ deleted_at: now })
          .where(and(isOurs(roomId), isNull(rooms.deleted_at)))
          .returning({ id: rooms.id }),
        ...recordStatements(database, audit),
      ]);
      return rows.length > 0;
    },

    async remove(roomId) {
      await database.batch([
        database.delete(roomInputs).where(eq(roomInputs.room_id, roomId)),
        database.delete(roomMembers).where(isMember(roomId)),
        database.delete(rooms).where(isOurs(roomId)),
      ]);
    },
  };

  /** Members who have not left, by room, in the order in which they came. */
  async function membersOf(ids: readonly string[]): Promise<readonly MemberRow[]> {
    if (ids.length === 0) return [];
    return database
      .select()
      .from(roomMembers)
      .where(
        and(
          eq(roomMembers.tenant_id, tenantId),
          inArray(roomMembers.room_id, [...ids]),
          isNull(roomMembers.left_at),
        ),
      )
      .orderBy(asc(roomMembers.number));
  }
}

function toSummary(
  { id, title, metadata, turns, created_at }: typeof rooms.$inferSelect,
  members: readonly MemberRow[],
): RoomSummary {
  const participants = members
    .filter(({ room_id, name }) => room_id === id && name !== MODERATOR)
    .map(({ name, kind, agent_id, session_id, end_user_id }) => {
      return { name, kind, agent_id, session_id, end_user_id };
    });
  return { id, title, metadata, participants, turns, created_at };
}
