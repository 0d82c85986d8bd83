import {
  EventsQuerySchema,
  PostedEventSchema,
  PostEventQuerySchema,
} from "../../protocol/events/contract.ts";
import {
  dialectOf,
  formatsWith,
  LOG_FORMAT,
  type DialectParameter,
  type EventFormat,
} from "../../protocol/dialects/dialects.ts";
import { eventsPageRequest } from "../../durable-objects/api/read-request.ts";
import type { EventReceipt } from "../../protocol/events/contract.ts";
import { REPLY_ID_HEADER } from "../../protocol/routes.ts";
import { isId } from "../../protocol/ids.ts";
import { replyInForm } from "../../protocol/dialects/message-forms.ts";
import { replyForm, requireEvents } from "../sessions/answer-form.ts";
import { answerStream } from "../sessions/answer-stream.ts";
import type { RouteHandler } from "../app-env.ts";
import { authorizeEvent } from "../auth/authorize-event.ts";
import { acceptsEventStream, fetchEventStream } from "../sessions/event-stream.ts";
import { mediaPlace } from "../files/media-place.ts";
import { settleMedia } from "../files/settle-media.ts";
import { fieldError, unwrap } from "../http-error.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { lastEventId } from "../requests/last-event-id.ts";
import { normalizeEventBody } from "../requests/normalize-input.ts";
import { pointToCursor } from "../sessions/point-to-cursor.ts";
import { pathId } from "../middleware/check-path.ts";
import { readerOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";
import { asksForSocket, requireSubprotocol } from "../requests/upgrade.ts";
import { readCursor, readPage } from "../sessions/read-cursor.ts";
import { readSession } from "../sessions/read-session.ts";
import {
  requireRead,
  requireStream,
  shownReply,
  shownReplyBelow,
} from "../sessions/shown-reply.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";

/** The session's events after a position: a WebSocket, a stream if `Accept` requests one, otherwise a page. */
const readEvents: RouteHandler = async (context) => {
  const isSocket = asksForSocket(context);
  if (isSocket) requireSubprotocol(context);
  const query = readQuery(context, EventsQuerySchema);
  const { reply_id, follow, format, raw, profile, limit, after, page } = query;
  if (raw) requireParameter(format, "raw", "raw events come with");
  if (profile !== undefined) requireParameter(format, "profile", "profiles are those of");
  const dialect = dialectOf(format);
  const cursor = page === undefined ? readCursor(context, format, after) : readPage(page);
  if (reply_id !== undefined && !isId("rep", reply_id)) {
    throw fieldError("not_found", "#/query/reply_id", "there is no such reply");
  }
  const stub = pathSessionStub(context);
  if (!isSocket && !acceptsEventStream(context.req.header("Accept"))) {
    if (dialect.page === null) {
      const detail = `${format} is a stream: ask for it with \`Accept: text/event-stream\``;
      throw fieldError("validation_failed", "#/query/format", detail);
    }
    const read = eventsPageRequest(dialect.page, cursor, { limit, reply_id });
    return unwrap(pointToCursor(await readSession(context, stub, read), cursor));
  }
  // A client without a position has nothing yet.
  const isJoining =
    dialect.isJoined && after === undefined && lastEventId(context, format) === undefined;
  const reader = readerOf(context);
  const position = isJoining ? null : cursor;
  const range = { after: position, format, raw, profile, reply_id, follow, ...reader };
  return answerStream(context, stub, range);
};

/** Refuses a parameter that the dialect does not have. @param words Of the refusal, before the dialects that have it. */
function requireParameter(format: EventFormat, parameter: DialectParameter, words: string): void {
  const formats = formatsWith(parameter);
  if (formats.includes(format)) return;
  const detail = `${words} format=${formats.join(" or ")} alone`;
  throw fieldError("validation_failed", `#/query/${parameter}`, detail);
}

/**
 * An answer or an interrupt. It is durable before the response; the reply continues whether its stream is read or not.
 */
const postEvent: RouteHandler = async (context) => {
  const { stream, format } = readQuery(context, PostEventQuerySchema);
  const event = await readBody(context, PostedEventSchema, normalizeEventBody);
  const principal = context.get("principal");
  authorizeEvent(principal, event.type);
  const isStreamed = stream ?? acceptsEventStream(context.req.header("Accept"));
  const streamFormat = isStreamed ? requireEvents(format) : LOG_FORMAT;
  if (isStreamed) requireRead(principal);
  if (isStreamed) requireStream(principal, streamFormat);
  const place = mediaPlace(context, pathId(context, "session_id"));
  const settled = await settleMedia(context, place, event, "#");
  const receipt = await actOnSession(context, "postEvent", settled);
  const isBelow = receipt.reply !== null && receipt.reply.session_id !== place.session_id;
  if (!isStreamed) {
    const shown = shownReply(principal, receipt.reply);
    const reply = isBelow ? shownReplyBelow(principal, shown) : shown;
    const answer = { ...receipt, reply } satisfies EventReceipt;
    const form = replyForm(format);
    return context.json({ ...answer, reply: reply && replyInForm(reply, form) }, 202);
  }
  // No reply was running, so there is no stream.
  if (!receipt.reply) return context.body(null, 204);
  const headers = { [REPLY_ID_HEADER]: receipt.reply.id };
  // The stream is that of this session, in which the reply of a called agent is not.
  const reply_id = isBelow ? undefined : receipt.reply.id;
  // A repeated request: the reader may have received a part.
  const after = (context.get("isReplayed") && lastEventId(context, streamFormat)) || receipt.cursor;
  const range = { after, format: streamFormat, reply_id, ...readerOf(context) };
  // A refusal names the reply too: it continues whether its stream is read or not.
  return unwrap(await fetchEventStream(pathSessionStub(context), range, headers), headers);
};

export const eventRoutes = { readEvents, postEvent };
