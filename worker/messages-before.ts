import { MAX_PAGE_LIMIT } from "../protocol/limits.ts";
import type { Msg } from "../protocol/messages.ts";
import { unwrap } from "./http-error.ts";
import type { SessionStub } from "./session-stub.ts";

/**
 * The conversation before a reply's message, oldest first. What stands there does not change any more.
 * Cost: one call for each page of messages.
 */
export async function messagesBefore(stub: SessionStub, reply_id: string): Promise<readonly Msg[]> {
  const pages: (readonly Msg[])[] = [];
  let page: string | undefined;
  do {
    const { data, next_page } = unwrap(await stub.listMessages({ page, limit: MAX_PAGE_LIMIT }));
    pages.unshift(data);
    page = next_page ?? undefined;
  } while (page !== undefined);
  const messages = pages.flat();
  const index = messages.findIndex(({ id }) => id === reply_id);
  return index < 0 ? messages : messages.slice(0, index);
}
