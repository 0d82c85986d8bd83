// The lists of a session, a page at a time. Reading only.
import type { Page } from "../protocol/api/common.ts";
import type { Reply } from "../protocol/api/replies.ts";
import { accept, refuse, type Result } from "../protocol/errors.ts";
import { isId } from "../protocol/ids.ts";
import type { Msg } from "../protocol/messages.ts";
import { findEventRange } from "./event-range.ts";
import type { StoredMessage } from "./message-table.ts";
import type { OpenSession } from "./open-session.ts";
import { viewReply } from "./reply-view.ts";
import type { EventsPage, EventsRequest, MessagesPage, PageRequest } from "./page-requests.ts";
import { takePage, type Sized } from "./take-page.ts";

const PAGE_TOKEN = "pg_";

export async function listReplies(
  session: OpenSession,
  { page, limit }: PageRequest,
): Promise<Result<Page<Reply>>> {
  const before = page?.slice(PAGE_TOKEN.length) ?? null;
  if (before !== null && !isId("rep", before)) return refusePage();
  await restingReply(session);
  const { data, hasMore } = takePage(newestReplies(session, before, limit + 1), limit);
  return accept(pageOf(data, hasMore, data.at(-1)?.id));
}

function* newestReplies(
  { tables, active, init }: OpenSession,
  before: string | null,
  limit: number,
): Generator<Sized<Reply>, void> {
  const queued = tables.queue.list().filter(({ id }) => before === null || id < before);
  const rows = [...queued, ...tables.replies.before(before, limit)];
  for (const row of rows.toSorted(byIdDescending).slice(0, limit)) {
    const folded = active?.id === row.id ? active.durable : tables.messages.find(row.id);
    const item = viewReply(row, init.session_id, folded, tables.calls);
    yield { item, bytes: JSON.stringify(item).length };
  }
}

/** Ids sort by the time at which a reply was accepted. */
function byIdDescending(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? 1 : -1;
}

export async function listMessages(
  session: OpenSession,
  { page, limit }: PageRequest,
): Promise<Result<MessagesPage>> {
  const before = page === undefined ? Infinity : readPosition(page);
  if (before === null) return refusePage();
  await restingReply(session);
  const { data, hasMore } = takePage(newestMessages(session, before), limit);
  const oldest = data.at(-1)?.position;
  const cursor = liveMessage(session)?.cursor ?? session.log.durableSeq;
  const messages = data.map(({ message }) => message).reverse();
  return accept({ ...pageOf(messages, hasMore, oldest), cursor });
}

/** The one that is being made included, as far as it is on disk. */
export function* newestMessages(
  session: OpenSession,
  before: number,
): Generator<Sized<StoredMessage>, void> {
  const live = liveMessage(session);
  if (live && live.position < before) {
    yield { item: live, bytes: JSON.stringify(live.message).length };
  }
  // What is not on disk yet has no position that a reader could go on from.
  const durable = Math.min(before, session.log.durableSeq + 1);
  for (const stored of session.tables.messages.before(durable)) {
    if (stored.item.position !== live?.position) yield stored;
  }
}

export async function readMessage(
  session: OpenSession,
  messageId: string,
): Promise<Result<{ message: Msg; cursor: number }>> {
  await restingReply(session);
  const live = liveMessage(session);
  const found = live?.message.id === messageId ? live : session.tables.messages.find(messageId);
  if (!found) return refuse("not_found", `there is no message ${messageId} in this session`);
  if (found.position > session.log.durableSeq) await session.log.settled();
  return accept({ message: found.message, cursor: found.cursor });
}

export function listEvents(
  session: OpenSession,
  { after, limit, reply_id }: EventsRequest,
): Result<EventsPage> {
  const range = findEventRange(session, after, reply_id ?? null);
  if (!range.ok) return range;
  const { log } = session;
  const start = range.value.start();
  const from = Math.max(after, start ?? 0);
  const upTo = start === null ? from : (range.value.upTo() ?? log.durableSeq);
  const { data, hasMore } = takePage(log.events(from, upTo), limit);
  const cursor = data.at(-1)?.seq ?? from;
  return accept({ ...pageOf(data, hasMore, cursor), cursor });
}

/** The running reply's message as far as it is on disk; it is not in the table yet, or is older there. */
function liveMessage(session: OpenSession): StoredMessage | null {
  const { active } = session;
  if (!active?.isRunning || !active.durable) return null;
  return { position: active.startCursor + 1, reply_id: active.id, ...active.durable };
}

/** A reply that has ended, or waits, is shown when that is on disk. */
async function restingReply({ active, log }: OpenSession): Promise<void> {
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

function pageOf<Item>(
  data: readonly Item[],
  hasMore: boolean,
  position: string | number | undefined,
): Page<Item> {
  return { data, has_more: hasMore, next_page: hasMore ? `${PAGE_TOKEN}${position}` : null };
}
