// The paged lists of a session, and single messages. Read only.
import type { Page } from "../../protocol/schemas/common.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { type GenerateReason, waitingReasonOf } from "../../protocol/dialects/generate-reason.ts";
import { isId } from "../../protocol/ids.ts";
import { parseStoredEvent } from "../log/event-table.ts";
import { messageInForm, messagesInForm, requestedForm } from "./in-form.ts";
import { findEventRange } from "./event-range.ts";
import type { EventText } from "../log/frame-bytes.ts";
import { jsonOf, listPieces, objectPieces } from "../bytes/json-pieces.ts";
import type { OpenSession } from "./open-session.ts";
import type { EventsRequest, PageRequest } from "../api/page-requests.ts";
import type { FormRequest } from "../api/read-request.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { viewReply } from "../replies/reply-view.ts";
import { charactersOf, shownMessage } from "../replies/shown-message.ts";
import { takePage, type Sized } from "../bytes/take-page.ts";

const PAGE_TOKEN = "pg_";
const GONE = refuse("not_found", "there is no such session");

export async function listReplies(
  session: OpenSession,
  { page, limit }: PageRequest,
): Promise<Result<Page<Reply>>> {
  const before = page?.slice(PAGE_TOKEN.length) ?? null;
  if (before !== null && !isId("rep", before)) return refusePage();
  await settledReply(session);
  const { data, hasMore } = takePage(newestReplies(session, before, limit + 1), limit);
  const next_page = hasMore ? `${PAGE_TOKEN}${data.at(-1)?.id}` : null;
  return accept({ data, has_more: hasMore, next_page });
}

function* newestReplies(
  { tables, active, init }: OpenSession,
  before: string | null,
  limit: number,
): Generator<Sized<Reply>, void> {
  const queued = tables.queue.list().filter(({ id }) => before === null || id < before);
  const rows = [...queued, ...tables.replies.before(before, limit)];
  for (const row of rows.toSorted(byIdDescending).slice(0, limit)) {
    const folded = active?.id === row.id ? active.durable : tables.messages.ofReply(row.id);
    const item = viewReply(row, init.session_id, folded, tables.calls);
    yield { item, bytes: charactersOf(item) };
  }
}

/** Ids sort by the time at which a reply was accepted. */
function byIdDescending(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? 1 : -1;
}

/** The newest page first; inside a page the oldest message first. */
export async function listMessages(
  session: OpenSession,
  { page, limit, format }: PageRequest & FormRequest,
): Promise<Result<Iterable<Piece>>> {
  const before = page === undefined ? Infinity : readPosition(page);
  if (before === null) return refusePage();
  await settledReply(session);
  if (session.log.isClosed) return GONE;
  const { data, hasMore } = takePage(shownMessages(session, before), limit);
  const oldest = data.at(-1)?.position;
  const live = session.isRunning ? session.active?.durable : null;
  const cursor = live?.cursor ?? session.log.durableSeq;
  const form = requestedForm({ format });
  const messages = data.toReversed();
  const items = form ? messagesInForm(messages, form) : messages.map(({ shown }) => shown);
  return accept(pagePieces(items, hasMore, { position: oldest, cursor }));
}

/** A message of the conversation, and its JSON as answers show it, read lazily. */
interface ShownMessage {
  readonly position: number;
  readonly shown: Iterable<Piece>;
  readonly waiting: GenerateReason | null;
}

/** Newest first, with the open reply's message in its durable state. */
export function* shownMessages(
  session: OpenSession,
  before: number,
): Generator<Sized<ShownMessage>, void> {
  const open = openMessage(session);
  if (open && open.position < before) {
    const message = shownMessage(open.message);
    const { position, waiting } = open;
    const item = { position, shown: jsonOf(message), waiting };
    yield { item, bytes: charactersOf(message) };
  }
  // A message that is not on disk yet is left out: its position cannot be a cursor.
  const durable = Math.min(before, session.log.durableSeq + 1);
  const { messages } = session.tables;
  for (const { item: place, bytes } of messages.placesBefore(durable)) {
    const { position } = place;
    if (position !== open?.position)
      yield { item: { position, shown: messages.shown(place), waiting: null }, bytes };
  }
}

/** One message whole, however large; in another form as it is in a list. */
export async function readMessage(
  session: OpenSession,
  messageId: string,
  request: FormRequest = {},
): Promise<Result<Iterable<Piece>>> {
  await settledReply(session);
  if (session.log.isClosed) return GONE;
  const form = requestedForm(request);
  const open = openMessage(session);
  if (open?.message.id === messageId) {
    const { message, cursor, waiting } = open;
    if (!form) return accept(jsonOf({ message, cursor }));
    return accept(jsonOf({ message: form.message(shownMessage(message), waiting), cursor }));
  }
  const { messages } = session.tables;
  const place = messages.findPlace(messageId);
  if (!place) return refuse("not_found", `there is no message ${messageId} in this session`);
  if (place.position > session.log.durableSeq) await session.log.settled();
  const small = { message: null, cursor: place.cursor };
  const message = form
    ? messageInForm({ shown: messages.shown(place), waiting: null }, form)
    : messages.whole(place);
  return accept(objectPieces(small, { message }));
}

export function listEvents(
  session: OpenSession,
  { after, limit, reply_id }: EventsRequest,
): Result<Iterable<Piece>> {
  const taken = takeEvents(session, { after, limit, reply_id });
  if (!taken.ok) return taken;
  const { data, hasMore, cursor } = taken.value;
  const events = data.map(({ text }) => [text]);
  return accept(pagePieces(events, hasMore, { position: cursor, cursor }));
}

/** The events of a page, and the position after them. */
export function takeEvents(
  session: OpenSession,
  { after, limit, reply_id }: EventsRequest,
): Result<{ data: readonly EventText[]; hasMore: boolean; cursor: number }> {
  const range = findEventRange(session, after, reply_id ?? null);
  if (!range.ok) return range;
  const { log } = session;
  const start = range.value.start();
  const from = Math.max(after, start ?? 0);
  const upTo = start === null ? from : (range.value.upTo() ?? log.durableSeq);
  const page = takePage(readable(log.eventTexts(from, upTo)), limit);
  return accept({ ...page, cursor: page.data.at(-1)?.seq ?? from });
}

/** Leaves out events that are no JSON: one would make the whole answer invalid. */
function* readable(events: Iterable<Sized<EventText>>): Generator<Sized<EventText>, void> {
  for (const event of events) if (parseStoredEvent(event.item.text)) yield event;
}

/** The open reply's message in its durable state; its row is older, or will still change. */
function openMessage({ openReply }: OpenSession) {
  if (!openReply?.durable) return null;
  const waiting = waitingReasonOf(openReply.status);
  return { position: openReply.startCursor + 1, waiting, ...openReply.durable };
}

/** Waits until the end of a reply, or that it waits, is on disk, before it is shown. */
async function settledReply({ active, log }: OpenSession): Promise<void> {
  if (active && !active.isRunning) await log.settled();
}

function readPosition(page: string): number | null {
  const [, position] = /^pg_(\d{1,15})$/.exec(page) ?? [];
  return position === undefined ? null : Number(position);
}

function refusePage(): Result<never> {
  const detail = "the page token is not one of this list's";
  return refuse("validation_failed", detail, { errors: [{ pointer: "#/query/page", detail }] });
}

/**
 * @param items Each as JSON.
 * @param position Where the next page begins. @param cursor The seq that the page is folded to.
 */
export function pagePieces(
  items: Iterable<Iterable<Piece>>,
  has_more: boolean,
  { position, cursor }: { readonly position: number | undefined; readonly cursor: number },
): Iterable<Piece> {
  const next_page = has_more ? `${PAGE_TOKEN}${position}` : null;
  return objectPieces({ data: [], has_more, next_page, cursor }, { data: listPieces(items) });
}
