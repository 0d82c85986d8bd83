// Tells the room of this session's participant that a reply here has ended or waits, or that something is due. Nothing depends
// on it: a room that is not told looks by itself.
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { roomObjectName, type RoomApi } from "../api/room-api.ts";
import type { SessionInit } from "../api/session-api.ts";

/** Contract: never rejects. @param seq See {@link RoomApi.noteRoom}. */
export async function tellRoom(
  env: Pick<Env, "ROOM">,
  { tenant_id, session_id, room }: Pick<SessionInit, "tenant_id" | "session_id" | "room">,
  seq?: number,
): Promise<void> {
  if (!room) return;
  try {
    // Looked up each time: a stub that has failed stays broken.
    const stub = env.ROOM.getByName(roomObjectName(tenant_id, room.room_id));
    const told = (stub as unknown as RoomApi).noteRoom({ session_id, seq });
    await withinDeadline(told, AGENT_ANSWER_MS);
  } catch (error) {
    console.warn("a room was not told of its participant; it will look", {
      session_id,
      error: String(error),
    });
  }
}
