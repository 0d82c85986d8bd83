import type { MessageFormat } from "../../protocol/dialects/dialects.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { ListQuery } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import type { FormOption, MessagesIn, StoredMessageIn } from "./message-forms.ts";

/** The messages of one session. */
export interface Messages {
  /**
   * Newest page first; within a page, oldest message first. A message that is too large for a page comes without its
   * content: see {@link omittedOf} and {@link Messages.get}.
   */
  list<Format extends MessageFormat = "agentscope">(
    query?: ListQuery & FormOption<Format>,
    options?: RequestOptions,
  ): MessagesIn<Format>;
  /**
   * The complete message of any size, natively; in another form it is as in a list. The message of an answer has the id
   * of its reply.
   */
  get<Format extends MessageFormat = "agentscope">(
    messageId: string,
    options?: RequestOptions & FormOption<Format>,
  ): Promise<StoredMessageIn<Format>>;
}

export function messagesOf(transport: Transport, sessionId: string): Messages {
  const path = ["sessions", sessionId, "messages"];
  return {
    list: <Format extends MessageFormat>(query?: object, options?: RequestOptions) =>
      transport.list(path, query, options) as MessagesIn<Format>,
    get: (messageId, options) =>
      transport.get([...path, messageId], options, { format: options?.format }),
  };
}
