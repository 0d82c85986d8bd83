import type { ContextState } from "../../agent/context/context-fold.ts";
import type { MessageTable } from "../tables/message-table.ts";

/**
 * The position of the first message that the context has, or a part of: what is before it was summarised or left out. One
 * row is read where something was. @param open The open reply, whose message may not be stored yet.
 * @param at The seq at which the conversation is looked at.
 */
export function contextStart(
  { boundary }: Pick<ContextState, "boundary">,
  messages: Pick<MessageTable, "findPlace">,
  open: { readonly id: string; readonly startCursor: number } | null = null,
  at = Infinity,
): number {
  if (!boundary) return 0;
  const isOpen = open?.id === boundary.message_id;
  const position = isOpen
    ? open.startCursor + 1
    : messages.findPlace(boundary.message_id, at)?.position;
  if (position === undefined) return 0;
  return boundary.block_id === null ? position + 1 : position;
}
