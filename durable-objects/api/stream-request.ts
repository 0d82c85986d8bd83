// The internal request for a stream: what the Worker has checked arrives as query parameters.
import type { AgUiRun } from "../../protocol/dialects/ag-ui/wire/events.ts";
import type { EventFormat } from "../../protocol/api/schemas/event-format.ts";
import { ERRORS, type Refusal } from "../../protocol/errors.ts";
import { REFUSAL_HEADER } from "./session-api.ts";

/** The last thing that a reader has. */
export interface StreamCursor {
  readonly seq: number;
  /** The last frame that it has of those that a dialect makes of the seq; null when it has all of them. */
  readonly part: number | null;
}

export interface StreamRequest {
  /** Null for a reader that has nothing. */
  readonly after: StreamCursor | null;
  readonly format: EventFormat;
  /** The log's own events go along. */
  readonly isRaw: boolean;
  /** The reader's answers may change inputs: a dialect that shows forms shows no other field. */
  readonly mayEdit: boolean;
  /** The stream is one run, under these ids. */
  readonly run: AgUiRun | null;
  readonly replyId: string | null;
  readonly isFollowing: boolean;
  /** Of the client token that the stream is opened with. */
  readonly tokenId: string | null;
  /** Of the API key that it is opened with; null for a token, and for a Worker of the version before. */
  readonly key: { readonly id: string; readonly expiresAtMs: number | null } | null;
}

export function parseStreamRequest(url: string): StreamRequest {
  const query = new URL(url).searchParams;
  const after = query.get("after");
  const [threadId, runId] = [query.get("thread_id"), query.get("run_id")];
  return {
    after: after === null ? null : parseStreamCursor(after),
    format: (query.get("format") as EventFormat | null) ?? "agentscope",
    isRaw: query.get("raw") === "true",
    mayEdit: query.get("may_edit") !== "false",
    run: threadId !== null && runId !== null ? { threadId, runId } : null,
    replyId: query.get("reply_id"),
    isFollowing: query.get("follow") === "session",
    tokenId: query.get("token_id"),
    key: parseKey(query.get("key_id"), query.get("key_expires_at")),
  };
}

function parseKey(id: string | null, expiresAt: string | null): StreamRequest["key"] {
  return id === null
    ? null
    : { id, expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt) };
}

/** @param text `<seq>` or `<seq>.<part>`. */
export function parseStreamCursor(text: string): StreamCursor {
  const [seq, part] = text.split(".");
  return { seq: Number(seq), part: part === undefined ? null : Number(part) };
}

export function refusalResponse(refusal: Refusal): Response {
  const { status } = ERRORS[refusal.code];
  return Response.json(refusal, { status, headers: { [REFUSAL_HEADER]: refusal.code } });
}
