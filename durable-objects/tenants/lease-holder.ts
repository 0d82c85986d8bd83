import { isId } from "../../protocol/ids.ts";
import { roomObjectName, type RoomApi } from "../api/room-api.ts";
import { sessionObjectName, type SessionApi } from "../api/session-api.ts";

/** The object that holds a lease of its tenant: a session's, or a room's with open streams. */
export function leaseHolder(
  env: Pick<Env, "SESSION" | "ROOM">,
  tenantId: string,
  id: string,
): Pick<SessionApi, "notify"> {
  return isId("room", id)
    ? (env.ROOM.getByName(roomObjectName(tenantId, id)) as unknown as RoomApi)
    : (env.SESSION.getByName(sessionObjectName(tenantId, id)) as unknown as SessionApi);
}
