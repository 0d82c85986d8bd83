// The internal request for a stream, as query parameters that the Worker has validated.
import type { AgUiRun } from "../../protocol/dialects/ag-ui/wire/events.ts";
import { NEWEST_PROFILE, type AgUiProfile } from "../../protocol/ag-ui/ag-ui-profile.ts";
import {
  LOG_FORMAT,
  type DialectCursor,
  type EventFormat,
} from "../../protocol/dialects/dialects.ts";
import { ERRORS, type Refusal } from "../../protocol/errors.ts";
import { REFUSAL_HEADER } from "./session-api.ts";

export interface StreamRequest {
  /** Null for a new reader. */
  readonly after: DialectCursor | null;
  readonly format: EventFormat;
  /** With `ag-ui`: adds the log's own events as `RAW`. */
  readonly isRaw: boolean;
  /** With `ag-ui`: whether each frame has the log's event as a member. */
  readonly hasRawMembers: boolean;
  /** With `ag-ui`: the version of it that the reader speaks. */
  readonly profile: AgUiProfile;
  /** The reader's answers may change inputs; when false, AG-UI's forms have no field for them. */
  readonly mayEdit: boolean;
  /** The stream is one AG-UI run, under these ids. */
  readonly run: AgUiRun | null;
  readonly replyId: string | null;
  /** With `a2a`: the newest messages of the task's history that it begins with; all when undefined. */
  readonly historyLength?: number | undefined;
  readonly isFollowing: boolean;
  /** The client token that opens the stream. */
  readonly tokenId: string | null;
  /** The API key that opens the stream; null for a token, and for a Worker of the previous version. */
  readonly key: { readonly id: string; readonly expiresAtMs: number | null } | null;
}

export function parseStreamRequest(url: string): StreamRequest {
  const query = new URL(url).searchParams;
  const after = query.get("after");
  const [threadId, runId] = [query.get("thread_id"), query.get("run_id")];
  return {
    after: after === null ? null : parseStreamCursor(after),
    format: (query.get("format") as EventFormat | null) ?? LOG_FORMAT,
    isRaw: query.get("raw") === "true",
    hasRawMembers: query.get("raw") === "member",
    profile: (query.get("profile") as AgUiProfile | null) ?? NEWEST_PROFILE,
    mayEdit: query.get("may_edit") !== "false",
    run: threadId !== null && runId !== null ? { threadId, runId } : null,
    replyId: query.get("reply_id"),
    historyLength: parseLength(query.get("history_length")),
    isFollowing: query.get("follow") === "session",
    tokenId: query.get("token_id"),
    key: parseKey(query.get("key_id"), query.get("key_expires_at")),
  };
}

function parseLength(text: string | null): number | undefined {
  return text === null ? undefined : Number(text);
}

function parseKey(id: string | null, expiresAt: string | null): StreamRequest["key"] {
  return id === null
    ? null
    : { id, expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt) };
}

/** A cursor of any dialect in the form of the internal requests, which {@link parseStreamCursor} reads. */
export function streamCursorText({ seq, part }: DialectCursor): string {
  return part === null ? String(seq) : `${seq}.${part}`;
}

/** @param text `<seq>` or `<seq>.<part>`. */
export function parseStreamCursor(text: string): DialectCursor {
  const [seq, part] = text.split(".");
  return { seq: Number(seq), part: part === undefined ? null : Number(part) };
}

export function refusalResponse(refusal: Refusal): Response {
  const { status } = ERRORS[refusal.code];
  return Response.json(refusal, { status, headers: { [REFUSAL_HEADER]: refusal.code } });
}
