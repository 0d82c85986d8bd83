import { EventsQuerySchema } from "../../protocol/api/events.ts";
import type { Result } from "../../protocol/errors.ts";
import { isId } from "../../protocol/ids.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { acceptsEventStream, openEventStream } from "../event-stream.ts";
import { fieldError, unwrap } from "../http-error.ts";
import { readQuery } from "../read-query.ts";
import { stubOf } from "./sessions.ts";

/** A position in the stream, and where in the request it stands. */
interface Cursor {
  readonly seq: number;
  readonly pointer: string;
}

/** The session's events after a position: as a stream when `Accept` asks for one, else as a page. */
const readEvents: RouteHandler = async (context) => {
  const { reply_id, follow, limit, after, page } = readQuery(context, EventsQuerySchema);
  const cursor = page === undefined ? readCursor(context, after) : readPage(page);
  if (reply_id !== undefined && !isId("rep", reply_id)) {
    throw fieldError("not_found", "#/query/reply_id", "there is no such reply");
  }
  const stub = stubOf(context);
  if (!acceptsEventStream(context.req.header("Accept"))) {
    const events = await stub.listEvents({ after: cursor.seq, limit, reply_id });
    return context.json(unwrap(pointToCursor(events, cursor)));
  }
  const stream = await openEventStream(stub, { after: cursor.seq, reply_id, follow });
  const response = unwrap(pointToCursor(stream, cursor));
  if (context.req.method !== "HEAD") return response;
  // The stream behind the headers must not stay open unread.
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
};

/** `EventSource` reconnects to its first address, with its last id as a header: so the header wins. */
function readCursor(context: AppContext, query: string | undefined): Cursor {
  const header = context.req.header("Last-Event-ID");
  return header
    ? parseCursor(header, "#/headers/last-event-id")
    : parseCursor(query ?? "0", "#/query/after");
}

/** The token of this list's next page is a position in disguise. */
function readPage(page: string): Cursor {
  const pointer = "#/query/page";
  const [, seq] = /^pg_(\d{1,15})$/.exec(page) ?? [];
  if (seq !== undefined) return { seq: Number(seq), pointer };
  throw fieldError("validation_failed", pointer, "the page token is not one of this list's");
}

function parseCursor(text: string, pointer: string): Cursor {
  const seq = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(seq)) return { seq, pointer };
  throw fieldError(
    "invalid_cursor",
    pointer,
    "a cursor is the seq of an event, a whole number from 0",
  );
}

/** The object knows that a cursor is wrong, but not where the client wrote it. */
function pointToCursor<Value>(result: Result<Value>, { pointer }: Cursor): Result<Value> {
  if (result.ok || result.refusal.code !== "cursor_ahead") return result;
  const errors = [{ pointer, detail: result.refusal.detail }];
  return { ok: false, refusal: { ...result.refusal, errors } };
}

export const eventRoutes = { readEvents };
