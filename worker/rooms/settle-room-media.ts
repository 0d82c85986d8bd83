// Media in what is said in a room. Large data becomes a file of one of its sessions; that of each agent refers to it when the
// agent is told of it (`durable-objects/rooms/share-files.ts`).
import type { AppContext } from "../app-env.ts";
import { mediaPlace } from "../files/media-place.ts";
import { hasMediaToSettle, settleMedia } from "../files/settle-media.ts";
import { unwrap } from "../http-error.ts";
import type { RoomStub } from "../objects/room-stub.ts";

/** @throws HttpError as `settleMedia`. */
export async function settleRoomMedia<Value>(
  context: AppContext,
  stub: RoomStub,
  value: Value,
  pointer: string,
): Promise<Value> {
  // Small data needs no session.
  if (!hasMediaToSettle(context, value)) {
    return settleMedia(context, mediaPlace(context, ""), value, pointer);
  }
  const { participants } = unwrap(await stub.read());
  // A room has had an agent at least. The first one, also when it has left: the same data again is the same file.
  const home = participants.find(({ session_id }) => session_id !== null)?.session_id ?? "";
  return settleMedia(context, mediaPlace(context, home), value, pointer);
}
