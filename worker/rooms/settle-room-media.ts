// Media in what is said in a room: each agent's session refers to the files that it is told of, so that none goes while one
// of them may look at it.
import { MAX_INLINE_MEDIA_CHARACTERS } from "../../protocol/files/limits.ts";
import type { AppContext } from "../app-env.ts";
import { hasMediaToSettle, settleMedia } from "../files/settle-media.ts";
import { mediaPlace } from "../files/media-place.ts";
import { fieldError, unwrap } from "../http-error.ts";
import type { RoomStub } from "../objects/room-stub.ts";
import { findSources } from "../requests/media-sources.ts";

/** @throws HttpError 400 for data that would become a file, of which each session would need its own. */
export async function settleRoomMedia<Value>(
  context: AppContext,
  stub: RoomStub,
  value: Value,
  pointer: string,
): Promise<Value> {
  for (const { source, pointer: at } of findSources(value, pointer)) {
    const data = source.type === "base64" ? source.data : source.url;
    if (data.length <= MAX_INLINE_MEDIA_CHARACTERS) continue;
    const member = source.type === "base64" ? "data" : "url";
    const detail = `in a room, data has ${MAX_INLINE_MEDIA_CHARACTERS} characters at most; upload it with POST /v1/files and name its \`url\``;
    throw fieldError("validation_failed", `${at}/${member}`, detail);
  }
  if (!hasMediaToSettle(context, value)) return settleMedia(context, placeOf(""), value, pointer);
  const { participants } = unwrap(await stub.read());
  let settled = value;
  for (const { session_id } of participants) {
    if (session_id === null) continue;
    settled = await settleMedia(context, placeOf(session_id), value, pointer);
  }
  return settled;

  function placeOf(sessionId: string) {
    return mediaPlace(context, sessionId);
  }
}
