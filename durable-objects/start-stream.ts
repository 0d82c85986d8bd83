// Begins a reply and opens its stream in one call.
import { performAct } from "./acts/perform-act.ts";
import type { StartRequest } from "./acts/acts-api.ts";
import { STREAM_URL } from "./api/session-api.ts";
import {
  REFUSED_START,
  STARTED_HEADER,
  type RefusedStart,
  type StreamedStart,
} from "./api/start-request.ts";
import { LARGE_VALUE_CHARACTERS } from "../protocol/requests/limits.ts";
import { timeSlice } from "../runtime/time-slice.ts";
import { streamResponse } from "./open-stream.ts";
import type { OpenSession } from "./sessions/open-session.ts";

/** The body of the request; a large one is parsed in a time slice of its own. */
export async function readStart(request: Request): Promise<StartRequest> {
  const text = await request.text();
  if (text.length > LARGE_VALUE_CHARACTERS) await timeSlice();
  return JSON.parse(text) as StartRequest;
}

export async function startStream(session: OpenSession, start: StartRequest): Promise<Response> {
  const begun = await begin(session, start);
  if (!begun.ok) return refusedStart(begun);
  const { after, ...started } = begun.value;
  const url = new URL(STREAM_URL);
  url.search = start.query;
  if (after !== null) url.searchParams.set("after", String(after));
  url.searchParams.set("reply_id", started.reply_id);
  const response = await streamResponse(session, url.href);
  response.headers.set(STARTED_HEADER, JSON.stringify(started));
  return response;
}

export function refusedStart(refused: RefusedStart): Response {
  return Response.json(refused, { headers: { [STARTED_HEADER]: REFUSED_START } });
}

/** `after` is where the stream begins; null for a reader that joins. */
type Begun = RefusedStart | { ok: true; value: StreamedStart & { readonly after: number | null } };

async function begin(
  session: OpenSession,
  { act, payload, options }: StartRequest,
): Promise<Begun> {
  const started = await performAct(session, act, payload, options);
  if (!started.ok) return started;
  const { value, is_replayed } = started;
  const replayed = is_replayed && { is_replayed };
  if ("id" in value) {
    return { ok: true, value: { reply_id: value.id, after: value.cursor, ...replayed } };
  }
  const after = value.is_partly_held ? null : value.cursor;
  return { ok: true, value: { reply_id: value.reply_id, after, ...replayed } };
}
