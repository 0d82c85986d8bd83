import { type RoomApi, roomObjectName } from "../../durable-objects/api/room-api.ts";
import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";

/** The RPC interface of a room's object for routes. */
export type RoomStub = RoomApi & { fetch(url: string, init?: RequestInit): Promise<Response> };

/** For a room that does not exist everything is refused with `not_found`, and creates nothing. */
export function roomStub(env: Pick<Env, "ROOM">, tenantId: string, roomId: string): RoomStub {
  // As in session-stub.ts: the generated stub type is less precise than the API's.
  return env.ROOM.getByName(roomObjectName(tenantId, roomId)) as unknown as RoomStub;
}

/** The object of the room in the request's path. @throws Error on a route whose path has none. */
export function pathRoomStub(context: AppContext): RoomStub {
  const roomId = context.req.param("room_id");
  if (roomId === undefined) throw new Error("the route has no room in its path");
  return roomStub(context.env, tenantOf(context), roomId);
}
