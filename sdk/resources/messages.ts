import type { MessagePage, StoredMessage } from "../../protocol/sessions/contract.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";

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
