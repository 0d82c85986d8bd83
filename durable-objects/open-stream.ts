// Opens a reader's stream: where it begins, in which format, or why there is none.
import { accept, refuse, type Result } from "../protocol/errors.ts";
import { LARGE_VALUE_CHARACTERS } from "../protocol/requests/limits.ts";
import { timeSlice } from "../runtime/time-slice.ts";
import { LOG_FORMAT } from "../protocol/dialects/dialects.ts";
import { OBJECT_DIALECTS } from "./dialects/dialects.ts";
import { findReplyAt } from "./sessions/replay-events.ts";
import { findEventRange } from "./sessions/event-range.ts";
import { openEventStream, type SocketReading } from "./streams/event-stream.ts";
import type { OpenSession } from "./sessions/open-session.ts";
import { findCredential } from "./streams/find-credential.ts";
import { parseStreamRequest, refusalResponse, type StreamRequest } from "./api/stream-request.ts";

/** @param url Of {@link StreamRequest}. */
export async function streamResponse(session: OpenSession, url: string): Promise<Response> {
  const request = parseStreamRequest(url);
  // Readers who come at once are led through a long reply one after the other.
  if (isLongReplay(session, request)) await timeSlice();
  const stream = openStream(session, request);
  if (!stream.ok) return refusalResponse(stream.refusal);
  if (!stream.value) return new Response(null, { status: 204 });
  return new Response(stream.value, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

/** The stream of a reader over a WebSocket; null as {@link openStream}. */
export async function openSocketStream(
  session: OpenSession,
  request: StreamRequest,
  socket: SocketReading,
): Promise<Result<ReadableStream<Uint8Array> | null>> {
  if (isLongReplay(session, request)) await timeSlice();
  return openStream(session, request, socket);
}

/** @returns Null at the end of a log in which nothing runs. */
export function openStream(
  session: OpenSession,
  request: StreamRequest,
  socket?: SocketReading,
): Result<ReadableStream<Uint8Array> | null> {
  // The session may have been deleted while the caller waited for a time slice.
  if (session.log.isClosed) return refuse("not_found", "there is no such session");
  const { replyId, isFollowing } = request;
  const range = findEventRange(session, request.after?.seq ?? 0, replyId);
  if (!range.ok) return range;
  const { log, subscribers, tables } = session;
  const credential = findCredential({ tokens: tables.tokens, subscribers }, request);
  if (!credential.ok) return credential;
  const dialect = OBJECT_DIALECTS[request.format];
  const folded = dialect.isFolding ? foldedCharacters(session, replyId) : null;
  const begun = dialect.open(session, range.value, request);
  if (!begun.ok) return begun;
  const { after, translation } = begun.value;
  const { start, upTo, isOver } = range.value;
  const isAtEnd = isOver(Math.max(after, start() ?? 0));
  const flushed = isAtEnd ? (translation?.flush() ?? []) : [];
  const prelude = [...begun.value.prelude, ...flushed];
  const staysOpen = isFollowing || translation?.staysOpen === true;
  const isNothingLeft = (isAtEnd && !staysOpen) || translation?.isOver === true;
  if (isNothingLeft && prelude.length === 0) return accept(null);
  const tooMany = subscribers.refuseMore(request.tokenId, folded ?? 0);
  if (tooMany) return tooMany;
  return accept(
    openEventStream({
      log,
      subscribers,
      after,
      prelude,
      translation,
      folded,
      start,
      upTo,
      isOver,
      isFollowing,
      credential: credential.value,
      socket,
    }),
  );
}

/** Whether a translation has a long reply to go through before it begins. */
function isLongReplay(session: OpenSession, { format, replyId }: StreamRequest): boolean {
  if (format === LOG_FORMAT || session.log.isClosed) return false;
  const id = replyId ?? findReplyAt(session, session.log.visibleSeq)?.id ?? null;
  return foldedCharacters(session, id) > LARGE_VALUE_CHARACTERS;
}

/** The approximate size of the message that a reader folds. */
function foldedCharacters({ active, tables }: OpenSession, replyId: string | null): number {
  const id = replyId ?? active?.id ?? null;
  if (id !== null && active?.id === id) return active.state.characters;
  return (id !== null && tables.messages.findPlace(id)?.bytes) || 0;
}
