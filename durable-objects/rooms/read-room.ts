// Pages and streams of a room: its log's events, and its messages.
import { LOG_FORMAT } from "../../protocol/dialects/dialects.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { PageRequest } from "../api/page-requests.ts";
import type { FormRequest, ReadRequest } from "../api/read-request.ts";
import {
  parseStreamCursor,
  parseStreamRequest,
  refusalResponse,
  type StreamRequest,
} from "../api/stream-request.ts";
import { jsonResponse, objectPieces } from "../bytes/json-pieces.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { takePage, type Sized } from "../bytes/take-page.ts";
import { parseStoredEvent } from "../log/event-table.ts";
import type { EventText } from "../log/frame-bytes.ts";
import { messagesInForm, requestedForm } from "../sessions/in-form.ts";
import { pagePieces } from "../sessions/session-pages.ts";
import { openEventStream, type SocketReading } from "../streams/event-stream.ts";
import type { StreamStart } from "../streams/stream-translation.ts";
import { findCredential } from "../streams/find-credential.ts";
import { roomStatus } from "../../agent/rooms/next-steps.ts";
import type { OpenRoom } from "./open-room.ts";
import { openRoomAgUi } from "./room-ag-ui.ts";
import { exportRoom } from "./room-state.ts";

const PAGE = /^pg_(\d{1,15})$/;

export async function readRoomResponse(room: OpenRoom, request: ReadRequest): Promise<Response> {
  await room.log.settled();
  const read = await readPieces(room, request);
  return read.ok ? jsonResponse(read.value) : refusalResponse(read.refusal);
}

async function readPieces(room: OpenRoom, request: ReadRequest): Promise<Result<Iterable<Piece>>> {
  switch (request.what) {
    case "messages":
    case "formed-messages":
      return listMessages(room, request);
    case "message":
      return readMessage(room, request.id);
    case "state":
      return exportRoom(room);
    case "events":
      return listEvents(room, parseStreamCursor(String(request.after)).seq, request.limit);
    default:
      return refuse("validation_failed", "a room has no such page");
  }
}

function listEvents({ log }: OpenRoom, after: number, limit: number): Result<Iterable<Piece>> {
  const ahead = refuseAhead(log, after);
  if (ahead) return ahead;
  const { data, hasMore } = takePage(readable(log.eventTexts(after, log.durableSeq)), limit);
  const cursor = data.at(-1)?.seq ?? after;
  const events = data.map(({ text }) => [text]);
  return accept(pagePieces(events, hasMore, { position: cursor, cursor }));
}

function* readable(events: Iterable<Sized<EventText>>): Generator<Sized<EventText>, void> {
  for (const event of events) if (parseStoredEvent(event.item.text)) yield event;
}

/** The newest page first; inside a page the oldest message first. */
function listMessages(
  { log, messages }: OpenRoom,
  { page, limit, format }: PageRequest & FormRequest,
): Result<Iterable<Piece>> {
  const before = page === undefined ? log.durableSeq + 1 : Number(PAGE.exec(page)?.[1] ?? NaN);
  if (Number.isNaN(before)) {
    const detail = "the page token is not one of this list's";
    return refuse("validation_failed", detail, { errors: [{ pointer: "#/query/page", detail }] });
  }
  const { data, hasMore } = takePage(messages.placesBefore(before), limit);
  const shown = data.toReversed().map((place) => messages.shown(place));
  const form = requestedForm({ format });
  const whole = shown.map((one) => ({ shown: one, waiting: null }));
  const items = form ? messagesInForm(whole, form) : shown;
  const position = data.at(-1)?.position;
  return accept(pagePieces(items, hasMore, { position, cursor: log.durableSeq }));
}

function readMessage({ messages }: OpenRoom, id: string): Result<Iterable<Piece>> {
  const place = messages.findPlace(id);
  if (!place) return refuse("not_found", `there is no message ${id} in this room`);
  const small = { message: null, cursor: place.cursor };
  return accept(objectPieces(small, { message: messages.whole(place) }));
}

/** @param url Of {@link StreamRequest}. */
export async function streamRoom(room: OpenRoom, url: string): Promise<Response> {
  const request = parseStreamRequest(url);
  const opened = await openRoomStream(room, request);
  if (!opened.ok) return refusalResponse(opened.refusal);
  if (!opened.value) return new Response(null, { status: 204 });
  return new Response(opened.value, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

/** @returns Null where nothing is left to be read. */
export async function openRoomStream(
  room: OpenRoom,
  request: StreamRequest,
  socket?: SocketReading,
): Promise<Result<ReadableStream<Uint8Array> | null>> {
  const { log, subscribers } = room;
  if (log.isClosed) return refuse("not_found", "there is no such room");
  const ahead = refuseAhead(log, request.after?.seq ?? 0);
  if (ahead) return ahead;
  const begun = await begin(room, request);
  if (!begun.ok) return begun;
  if (log.isClosed) return refuse("not_found", "there is no such room");
  const { after, prelude, translation } = begun.value;
  const credential = findCredential(room, request);
  if (!credential.ok) return credential;
  const isOver = (cursor: number) => cursor >= log.lastSeq && isAtRest(room);
  const isNothingLeft = isOver(after) && prelude.length === 0;
  if (isNothingLeft && !request.isFollowing) return accept(null);
  const tooMany = subscribers.refuseMore(request.tokenId, 0);
  if (tooMany) return tooMany;
  return accept(
    openEventStream({
      log,
      subscribers,
      after,
      prelude,
      translation,
      folded: null,
      start: () => 0,
      upTo: () => null,
      isOver,
      isFollowing: request.isFollowing,
      credential: credential.value,
      socket,
    }),
  );
}

/** The beginning of a stream, in the format that is asked for. */
async function begin(room: OpenRoom, request: StreamRequest): Promise<Result<StreamStart>> {
  const { format, after } = request;
  if (format === "ag-ui") return openRoomAgUi(room, request);
  if (format === LOG_FORMAT) {
    return accept({ after: after?.seq ?? 0, prelude: [], translation: null });
  }
  return refuse("validation_failed", "a room has no stream in this format");
}

/** Whether no event follows before somebody does something. */
function isAtRest({ state }: OpenRoom): boolean {
  const status = roomStatus(state);
  return status === "waiting" || (status === "idle" && state.replies.length === 0);
}

function refuseAhead(log: OpenRoom["log"], after: number): Result<never> | null {
  if (after <= log.highWaterMark) return null;
  const detail = `this room's log ends at ${log.highWaterMark}; ${after} was never given out`;
  return refuse("cursor_ahead", detail);
}
