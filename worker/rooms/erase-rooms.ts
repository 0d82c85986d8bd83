// Erases rooms: the row says that the erasure has begun, then the object goes with the sessions of its agents, and the row last,
// so that one that is interrupted is found again.
import { ERASED_ROOMS_AT_ONCE } from "../../protocol/rooms/limits.ts";
import {
  findLeftRooms,
  forgetEndUser,
  listEndUserRooms,
  listTenantRooms,
  markRoom,
  type RegisteredRoom,
  removeRoom,
} from "../../storage/rooms/room-registry.ts";
import { nowTimestamp } from "../new-id.ts";
import { roomStub } from "../objects/room-stub.ts";
import { unwrap } from "../http-error.ts";

type RoomBindings = Pick<Env, "DB" | "ROOM">;

/** Idempotent. @throws when D1 or the object fails: the sweep then finds the room. */
export async function eraseRoom(
  env: RoomBindings,
  { id, tenant_id }: RegisteredRoom,
): Promise<void> {
  if (!(await markRoom(env.DB, { id, tenant_id }, nowTimestamp()))) return;
  const removed = await roomStub(env, tenant_id, id).remove();
  if (!removed.ok && removed.refusal.code !== "not_found") throw new Error(removed.refusal.detail);
  await removeRoom(env.DB, { id, tenant_id });
}

/** Some rooms of a tenant that is closed. @returns whether none is left. @throws as {@link eraseRoom}. */
export async function eraseTenantRooms(env: RoomBindings, tenantId: string): Promise<boolean> {
  const rooms = await listTenantRooms(env.DB, tenantId, ERASED_ROOMS_AT_ONCE);
  await inEach(rooms, (room) => eraseRoom(env, room));
  return rooms.length < ERASED_ROOMS_AT_ONCE;
}

/** Rooms whose erasure was interrupted. Contract: never rejects. @returns how many. */
export async function eraseLeftRooms(env: RoomBindings): Promise<number> {
  try {
    const rooms = await findLeftRooms(env.DB, ERASED_ROOMS_AT_ONCE);
    await inEach(rooms, (room) => eraseRoom(env, room));
    return rooms.length;
  } catch (error) {
    console.warn("sweep: a room was not erased; the next sweep will", { error: String(error) });
    return 0;
  }
}

/**
 * Redacts what an end user has said in some rooms, for all who take part; the rooms themselves are others' too, and stay.
 * @param until Only rooms in which the end user was then or before.
 * @returns whether more may be left. @throws when a room could not be reached.
 */
export async function redactInRooms(
  env: RoomBindings,
  { tenant_id, end_user_id }: { readonly tenant_id: string; readonly end_user_id: string },
  until: string,
): Promise<boolean> {
  const most = ERASED_ROOMS_AT_ONCE;
  const of = { tenantId: tenant_id, endUserId: end_user_id, until, after: "", most };
  const rooms = await listEndUserRooms(env.DB, of);
  await inEach(rooms, async (room) => {
    const redacted = await roomStub(env, tenant_id, room.id).eraseEndUser(end_user_id);
    if (!redacted.ok && redacted.refusal.code !== "not_found") unwrap(redacted);
    await forgetEndUser(env.DB, room, of);
  });
  return rooms.length === most;
}

/** All are tried, one after the other. @throws the first failure. */
async function inEach(
  rooms: readonly RegisteredRoom[],
  act: (room: RegisteredRoom) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const room of rooms) await act(room).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
