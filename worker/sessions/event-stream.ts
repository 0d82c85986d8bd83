import { REFUSAL_HEADER, STREAM_URL } from "../../durable-objects/api/session-api.ts";
import { streamCursorText } from "../../durable-objects/api/stream-request.ts";
import type { AgUiProfile } from "../../protocol/ag-ui/ag-ui-profile.ts";
import type { EventFormat } from "../../protocol/dialects/dialects.ts";
import type { Refusal, Result } from "../../protocol/errors.ts";
import { accept } from "../../protocol/errors.ts";
import type { AppContext } from "../app-env.ts";
import type { StreamPosition } from "../requests/last-event-id.ts";
import { fetchSocket } from "../requests/upgrade.ts";
import { pointToCursor } from "./point-to-cursor.ts";
import type { SessionStub } from "../objects/session-stub.ts";

const EVENT_STREAM = "text/event-stream";

export const EVENT_STREAM_HEADERS = {
  "Content-Type": EVENT_STREAM,
  // Disables buffering in nginx and similar proxies.
  "X-Accel-Buffering": "no",
} as const;

/** The query parameters of the internal request, which the object parses as its `StreamRequest`. */
export interface StreamQuery {
  /** The reader's position, or a seq that the platform gives; null for a reader that has nothing and joins. */
  readonly after: StreamPosition | number | null;
  readonly format: EventFormat;
  /** With `ag-ui`: includes the log's events as RAW events, or as members. */
  readonly raw?: boolean | "member";
  /** With `ag-ui`: the version of it that the reader speaks; the newest one by default. */
  readonly profile?: AgUiProfile;
  /**
   * With `ag-ui`: the stream is one run under these ids, and ends with it. `after` is the seq before the run, or a
   * frame of the run itself.
   */
  readonly run?: { readonly thread_id: string; readonly run_id: string };
  readonly reply_id?: string;
  /** With `a2a`: the newest messages of the task's history that the stream begins with; all when left out. */
  readonly history_length?: number;
  readonly follow?: "session";
  /** The client token that opens the stream, which ends when the token does. */
  readonly token_id?: string;
  /** The API key that opens the stream, and its expiry: the stream ends when the key does. */
  readonly key_id?: string;
  readonly key_expires_at?: string;
  /** With `ag-ui`: whether the reader's answers may change inputs. */
  readonly may_edit: boolean;
}

/**
 * The object's stream as the response, passed through unchanged; 204 when no more events will come. A refused cursor is
 * reported with a pointer to its place in the request.
 * @param headers Additional response headers.
 */
export async function fetchEventStream(
  stub: Pick<SessionStub, "fetch">,
  { after, ...range }: StreamQuery,
  headers: Readonly<Record<string, string>> = {},
): Promise<Result<Response>> {
  const url = new URL(STREAM_URL);
  url.search = streamQuery(range, positionText(after)).toString();
  const response = await stub.fetch(url.href);
  if (response.headers.has(REFUSAL_HEADER)) {
    const refused = { ok: false, refusal: await response.json<Refusal>() } as const;
    return pointToCursor(refused, after);
  }
  return accept(streamOf(response, headers));
}

/**
 * The object's WebSocket with the same events, each a frame of JSON. Refusals are those of {@link fetchEventStream}.
 */
export async function fetchEventSocket(
  context: AppContext,
  stub: Pick<SessionStub, "fetch">,
  { after, ...range }: StreamQuery,
): Promise<Result<Response>> {
  const url = new URL(STREAM_URL);
  url.search = streamQuery(range, positionText(after)).toString();
  return pointToCursor(await fetchSocket(context, stub, url.href), after);
}

function positionText(after: StreamQuery["after"]): string | undefined {
  if (after === null) return undefined;
  return typeof after === "number" ? String(after) : streamCursorText(after);
}

/** The query of the object's `StreamRequest`. */
export function streamQuery(
  { run, ...range }: Omit<StreamQuery, "after">,
  after?: string,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ after, ...run, ...range })) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query;
}

/** The object's stream, or its 204, as the answer to the client. */
export function streamOf(
  { status, body }: Response,
  headers: Readonly<Record<string, string>>,
): Response {
  if (status === 204) return new Response(null, { status, headers });
  return new Response(body, { headers: { ...headers, ...EVENT_STREAM_HEADERS } });
}

/** Whether `Accept` contains `text/event-stream` with a weight other than 0. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return (accept ?? "").split(",").some((part) => {
    const [type, ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    return type === EVENT_STREAM && !parameters.some((piece) => /^q=0(?:\.0*)?$/.test(piece));
  });
}
