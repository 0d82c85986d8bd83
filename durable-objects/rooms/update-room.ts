import { accept, type Result } from "../../protocol/errors.ts";
import type { Room } from "../../protocol/rooms/contract.ts";
import { ROOM_UPDATED, roomEvent } from "../../protocol/rooms/events.ts";
import type { RoomPatch } from "../api/room-api.ts";
import type { OpenRoom } from "./open-room.ts";
import { settingsOf } from "./room-team.ts";
import { viewRoom } from "./view-room.ts";

export async function updateRoom(
  room: OpenRoom,
  { bounds, ...patch }: RoomPatch,
): Promise<Result<Room>> {
  const { init, table, log } = room;
  const next = { ...init, ...patch, bounds: { ...init.bounds, ...bounds } };
  const write = (): void => table.rewrite(next);
  if (bounds) log.append([roomEvent(ROOM_UPDATED, settingsOf(next))], { isLast: true, write });
  else room.transaction(write);
  await Promise.all([log.settled(), room.sync()]);
  room.kick();
  return accept(viewRoom(room));
}
