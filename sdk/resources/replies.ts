import type { Reply } from "../../protocol/replies/contract.ts";
import { REPLY_WAIT_MS } from "../../protocol/replies/limits.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import { toReplyBody, type ReplyInput, type ReplyRequestOptions } from "./reply-input.ts";
import type { Transport } from "../transport/transport.ts";

export interface ReplyCreateOptions extends RequestOptions, ReplyRequestOptions {
  /** Return at once, with the reply as it starts. Otherwise returns when it has ended or waits, or after 120 s. */
  readonly background?: boolean;
}

/** The replies of one session, without streams. */
export interface Replies {
  /** Starts a reply. Its `status` is `running` when the answer did not wait for its end. */
  create(input: ReplyInput, options?: ReplyCreateOptions): Promise<Reply>;
  /** Newest first. */
  list(query?: ListQuery, options?: RequestOptions): Paged<Reply>;
  get(replyId: string, options?: RequestOptions): Promise<Reply>;
}

export function repliesOf(transport: Transport, sessionId: string): Replies {
  const path = ["sessions", sessionId, "replies"];
  const { timeoutMs } = transport.settings;
  return {
    create: (input, options = {}) =>
      transport.call({
        method: "POST",
        path,
        body: { ...toReplyBody(input, options), background: options.background },
        timeoutMs: options.background ? timeoutMs : REPLY_WAIT_MS + timeoutMs,
        signal: options.signal,
      }),
    list: (query, options) => transport.list(path, query, options),
    get: (replyId, options) => transport.get([...path, replyId], options),
  };
}
