import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { tenantOf } from "../principal.ts";

/**
 * A session in which a participant of a room speaks goes with its room, and is neither copied nor played again by itself.
 * @throws HttpError `session_in_room`.
 */
export async function refuseInRoom(context: AppContext, sessionId: string): Promise<void> {
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  const room_id = await sessions.findRoomId(sessionId);
  if (room_id === null) return;
  const detail = `the session is that of a participant of ${room_id}: ask the room`;
  throw new HttpError("session_in_room", detail, { extensions: { room_id } });
}
