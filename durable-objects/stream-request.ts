// The internal request for a stream: what the Worker has checked arrives as query parameters.
import { ERRORS, type Refusal } from "../protocol/errors.ts";
import { REFUSAL_HEADER } from "./session-api.ts";

export interface StreamRequest {
  readonly after: number;
  readonly replyId: string | null;
  readonly isFollowing: boolean;
  /** Of the client token that the stream is opened with. */
  readonly tokenId: string | null;
}

export function parseStreamRequest(url: string): StreamRequest {
  const query = new URL(url).searchParams;
  return {
    after: Number(query.get("after") ?? 0),
    replyId: query.get("reply_id"),
    isFollowing: query.get("follow") === "session",
    tokenId: query.get("token_id"),
  };
}

export function refusalResponse(refusal: Refusal): Response {
  const { status } = ERRORS[refusal.code];
  return Response.json(refusal, { status, headers: { [REFUSAL_HEADER]: refusal.code } });
}
