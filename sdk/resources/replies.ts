import type { MessageFormat } from "../../protocol/dialects/dialects.ts";
import { REPLY_WAIT_MS } from "../../protocol/replies/limits.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { FormOption, ReplyIn } from "./message-forms.ts";
import { toReplyBody, type ReplyInput, type ReplyRequestOptions } from "./reply-input.ts";
import type { Transport } from "../transport/transport.ts";

export interface ReplyCreateOptions<Format extends MessageFormat = "agentscope">
  extends RequestOptions, ReplyRequestOptions, FormOption<Format> {
  /** Return at once, with the reply as it starts. Otherwise returns when it has ended or waits, or after 120 s. */
  readonly background?: boolean;
}

/** The replies of one session, without streams. */
export interface Replies {
  /** Starts a reply. Its `status` is `running` when the answer did not wait for its end. */
  create<Format extends MessageFormat = "agentscope">(
    input: ReplyInput,
    options?: ReplyCreateOptions<Format>,
  ): Promise<ReplyIn<Format>>;
  /** Newest first. */
  list<Format extends MessageFormat = "agentscope">(
    query?: ListQuery & FormOption<Format>,
    options?: RequestOptions,
  ): Paged<ReplyIn<Format>>;
  get<Format extends MessageFormat = "agentscope">(
    replyId: string,
    options?: RequestOptions & FormOption<Format>,
  ): Promise<ReplyIn<Format>>;
}

export function repliesOf(transport: Transport, sessionId: string): Replies {
  const path = ["sessions", sessionId, "replies"];
  const { timeoutMs } = transport.settings;
  return {
    create: (input, options = {}) =>
      transport.call({
        method: "POST",
        path,
        query: { format: options.format },
        body: { ...toReplyBody(input, options), background: options.background },
        timeoutMs: options.background ? timeoutMs : REPLY_WAIT_MS + timeoutMs,
        signal: options.signal,
      }),
    list: (query, options) => transport.list(path, query, options),
    get: (replyId, options) =>
      transport.get([...path, replyId], options, { format: options?.format }),
  };
}
