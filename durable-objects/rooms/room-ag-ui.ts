// A stream of AG-UI frames of a room, for a reader that begins at any position. The log is read from its beginning for each
// reader, in time slices: a run's first frames depend on what was said before it.
import { messageInProfile } from "../../protocol/dialects/ag-ui/profile.ts";
import { RoomAgUiTranslator } from "../../protocol/dialects/ag-ui/rooms/room-translator.ts";
import { toRoomMessages } from "../../protocol/dialects/ag-ui/rooms/turn-events.ts";
import type { AgUiFrame } from "../../protocol/dialects/ag-ui/wire/events.ts";
import type { AgUiMessage } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import { DIALECTS, type DialectCursor } from "../../protocol/dialects/dialects.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import { MAX_SHOWN_CHARACTERS } from "../../protocol/ag-ui/limits.ts";
import { LARGE_VALUE_CHARACTERS } from "../../protocol/requests/limits.ts";
import { MODERATOR } from "../../protocol/rooms/events.ts";
import { encodeFrame } from "../../protocol/sse.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { StreamRequest } from "../api/stream-request.ts";
import { snapshotFrame } from "../dialects/snapshot-frame.ts";
import {
  refuseCursor,
  type StreamStart,
  type StreamTranslation,
  type TextPiece,
} from "../streams/stream-translation.ts";
import type { OpenRoom } from "./open-room.ts";

const { write: writeId } = DIALECTS["ag-ui"].cursor;

/** @param request Its cursor is none that was never given out. */
export async function openRoomAgUi(
  room: OpenRoom,
  request: StreamRequest,
): Promise<Result<StreamStart>> {
  const { mayEdit, profile, tokenId, after: cursor } = request;
  // An answer by a client token proves which input was shown to its user.
  const options = { mayEdit, profile, mustSendHash: tokenId !== null };
  const translator = new RoomAgUiTranslator(room.init.room_id, options);
  const encode = (frame: AgUiFrame): TextPiece => encodeRoomFrame(room, frame, profile);
  const translation: StreamTranslation = {
    catchUp: null,
    push: (event) => translator.push(event).map(encode),
    flush: () => [],
    isOver: false,
  };
  if (cursor === null) {
    const after = room.log.visibleSeq;
    const last = (await feed(room, translator, after)) ?? { seq: after, k: 0 };
    const { seq, k } = last;
    const prelude = translator.join().map((event) => encode({ seq, k, event }));
    return accept({ after, prelude, translation });
  }
  const unread = await resume(room, translator, cursor);
  if (!unread) return refuseCursor();
  return accept({ after: cursor.seq, prelude: unread.map(encode), translation });
}

/** Frames of the cursor's event that the reader does not have; null when there is no such frame. */
async function resume(
  room: OpenRoom,
  translator: RoomAgUiTranslator,
  { seq, part }: DialectCursor,
): Promise<readonly AgUiFrame[] | null> {
  await feed(room, translator, seq - 1);
  const frames: AgUiFrame[] = [];
  for (const { item } of room.log.events(seq - 1)) {
    if (item.seq > seq) break;
    frames.push(...translator.push(item));
  }
  if (part === null) return [];
  return part > frames.length ? null : frames.slice(part);
}

/** @returns the last frame of what was read. */
async function feed(
  { log }: OpenRoom,
  translator: RoomAgUiTranslator,
  upTo: number,
): Promise<AgUiFrame | null> {
  let last: AgUiFrame | null = null;
  let position = 0;
  while (position < upTo) {
    let unrested = 0;
    // Rows are read whole, and may end behind the place.
    for (const { item, bytes } of log.events(position)) {
      if (item.seq > upTo) return last;
      position = item.seq;
      unrested += bytes;
      last = translator.push(item).at(-1) ?? last;
      if (unrested > LARGE_VALUE_CHARACTERS) break;
    }
    if (unrested <= LARGE_VALUE_CHARACTERS) return last;
    await timeSlice();
    if (log.isClosed) return last;
  }
  return last;
}

function encodeRoomFrame(
  room: OpenRoom,
  { seq, k, event }: AgUiFrame,
  profile: StreamRequest["profile"],
): TextPiece {
  const id = writeId(seq, k);
  if (event.type !== "MESSAGES_SNAPSHOT") return encodeFrame(id, event.type, JSON.stringify(event));
  const known = new Set(event.messages.map((message) => message.id));
  const earlier = (characters: number): Iterable<AgUiMessage> =>
    earlierMessages(room, { upTo: seq, characters, known }).map((message) =>
      messageInProfile(profile, message),
    );
  return () => snapshotFrame({ id, snapshot: event, earlier, maxCharacters: MAX_SHOWN_CHARACTERS });
}

/** The newest messages from before the discussion that fit, oldest first. */
function earlierMessages(
  { messages, table }: OpenRoom,
  {
    upTo,
    characters,
    known,
  }: { readonly upTo: number; readonly characters: number; readonly known: ReadonlySet<string> },
): readonly AgUiMessage[] {
  const found: AgUiMessage[] = [];
  for (const { item } of messages.between(messages.startOf(upTo, characters), upTo)) {
    const { message } = item;
    if (message.name === MODERATOR) continue;
    const own = { message, participant: message.name, turn_id: table.turnOf(message.id) };
    found.push(...toRoomMessages(own).filter(({ id }) => !known.has(id)));
  }
  return found;
}
