import type { Msg } from "../../protocol/messages/messages.ts";
import type { SessionRestoredValue } from "../../protocol/sessions/events.ts";

interface ShownPart {
  /** Oldest first. */
  readonly messages: readonly Msg[];
  /** The newest version of one of them. */
  readonly live: { readonly message: Msg; readonly index: number } | null;
  /** The token of the page before them; null when there is none. */
  readonly olderPage: string | null;
}

/** The part of a conversation that stays behind a restore. The rest of it follows in the log. */
export function keptMessages(
  { messages: older, live, olderPage }: ShownPart,
  { last_message_id }: Pick<SessionRestoredValue, "last_message_id">,
): Pick<ShownPart, "messages" | "olderPage"> {
  if (last_message_id === null) return { messages: [], olderPage: null };
  const messages = older.map((message, index) => (index === live?.index ? live.message : message));
  // Not among them: it is in an older page, behind which nothing stays.
  const last = messages.map(({ id }) => id).lastIndexOf(last_message_id);
  return { messages: messages.slice(0, last + 1), olderPage };
}
