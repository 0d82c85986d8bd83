import type { Page } from "../../protocol/schemas/common.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";

export interface StoredMessage {
  readonly message: Msg;
  /** The stream position of this version of the message: read events `after` it. */
  readonly cursor: number;
}

export interface MessagePage extends Page<Msg> {
  /** The stream position of this page. */
  readonly cursor: number;
}

/** The messages of one session. */
export interface Messages {
  /**
   * Newest page first; within a page, oldest message first. A message that is too large for a page comes without its
   * content: see {@link omittedOf} and {@link Messages.get}.
   */
  list(query?: ListQuery, options?: RequestOptions): Paged<Msg, MessagePage>;
  /** The complete message of any size. The message of an answer has the id of its reply. */
  get(messageId: string, options?: RequestOptions): Promise<StoredMessage>;
}

export function messagesOf(transport: Transport, sessionId: string): Messages {
  const path = ["sessions", sessionId, "messages"];
  return {
    list: (query, options) => transport.list(path, query, options),
    get: (messageId, options) => transport.get([...path, messageId], options),
  };
}
