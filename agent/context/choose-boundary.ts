// Chooses up to where a context is summarised: between messages, or inside one between two turns of its model. A call
// never leaves its result, nor the thinking that led to it.
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

/** A place between two blocks: everything before it leaves the context. */
export interface Cut {
  /** Index of the last message that has blocks before it. */
  readonly message: number;
  /** Index of the last block before it; null for the whole message. */
  readonly block: number | null;
  /** Tokens behind it. */
  readonly after: number;
}

export interface BoundaryWish {
  /** Newest messages that stay when they fit. */
  readonly keep_recent: number;
  /** Tokens that may stay. */
  readonly room: number;
  /** Tokens that may stay when that keeps the user's message, whose words a summary would lose. At least the room. */
  readonly reach: number;
  /** The reply that runs: its newest turn stays, whose results its model may not have read. Null between replies. */
  readonly reply_id: string | null;
  /** Everything that may go goes, whatever would fit. */
  readonly isAll?: boolean;
  readonly count: (block: ContentBlock) => number;
}

/**
 * @param messages As the model is sent them, oldest first, without a summary before them.
 * @returns Null when nothing has to go, or nothing may. Chosen again of what is left, it is null.
 */
export function chooseBoundary(messages: readonly Msg[], wish: BoundaryWish): Cut | null {
  const { cuts, total } = allCuts(messages, wish);
  const request = requestIndex(messages, wish.reply_id);
  const beforeRequest = cuts.filter(({ message }) => message < request).at(-1) ?? null;
  if (wish.isAll) {
    const last = cuts.at(-1) ?? null;
    // The request that the reply answers stays, too, where no part of the reply itself would leave.
    const isReplyWhole = last !== null && messages[last.message]?.id !== wish.reply_id;
    return isReplyWhole && wish.reply_id !== null ? beforeRequest : last;
  }
  const recent = Math.min(Math.max(0, messages.length - wish.keep_recent), request);
  const wished = cuts.filter(({ message }) => message < recent).at(-1) ?? null;
  const left = (cut: Cut | null) => cut?.after ?? total;
  if (left(wished) <= wish.room) return wished;
  const later = cuts.slice(wished ? cuts.indexOf(wished) + 1 : 0);
  const fitting = later.find(({ after }) => after <= wish.room) ?? null;
  if (fitting && fitting.message < request) return fitting;
  if (request < messages.length && left(beforeRequest) <= wish.reach) {
    return beforeRequest;
  }
  return fitting ?? cuts.at(-1) ?? null;
}

/** The messages before the cut, the last of them with its first blocks alone. */
export function beforeCut(messages: readonly Msg[], { message, block }: Cut): readonly Msg[] {
  const head = messages.slice(0, message + 1);
  if (block === null) return head;
  return head.map((one, index) =>
    index === message ? { ...one, content: one.content.slice(0, block + 1) } : one,
  );
}

/**
 * Index of the first of the user's messages that the running reply answers, or else of the reply; the number of messages
 * when none runs.
 */
export function requestIndex(messages: readonly Msg[], replyId: string | null): number {
  let first = replyIndex(messages, replyId);
  while (replyId !== null && messages[first - 1]?.role === "user") first -= 1;
  return first;
}

/** The number of messages when none runs, and for one that has no content yet, whose message is not sent. */
export function replyIndex(messages: readonly Msg[], replyId: string | null): number {
  const index = messages.findIndex(({ id }) => id === replyId);
  return index === -1 ? messages.length : index;
}

/** Every allowed cut, the oldest first. */
function allCuts(
  messages: readonly Msg[],
  { reply_id, count }: BoundaryWish,
): { readonly cuts: readonly Cut[]; readonly total: number } {
  const places: Omit<Cut, "after">[] = [];
  const befores: number[] = [];
  const open = new Set<string>();
  let before = 0;
  for (const [message, { id, content }] of messages.entries()) {
    const isRunning = id === reply_id;
    const end = isRunning ? newestTurn(content) : content.length;
    for (const [block, one] of content.entries()) {
      before += count(one);
      if (one.type === "tool_call") open.add(one.id);
      if (one.type === "tool_result") open.delete(one.id);
      const next = content[block + 1];
      const isTurnEnd = one.type === "tool_result" && next && next.type !== "tool_result";
      if (isTurnEnd && open.size === 0 && block + 1 <= end) {
        places.push({ message, block });
        befores.push(before);
      }
    }
    if (isRunning || open.size > 0) continue;
    places.push({ message, block: null });
    befores.push(before);
  }
  const cuts = places.map((place, index) => ({ ...place, after: before - (befores[index] ?? 0) }));
  return { cuts, total: before };
}

/** Index of the first block of the last model call, with the hints before it; its results may not have been read. */
function newestTurn(content: readonly ContentBlock[]): number {
  let start = content.length;
  while (isType(content[start - 1], "hint", "tool_result")) start -= 1;
  while (start > 0 && !isType(content[start - 1], "tool_result")) start -= 1;
  return start;
}

function isType(
  block: ContentBlock | undefined,
  ...types: readonly ContentBlock["type"][]
): boolean {
  return block !== undefined && types.includes(block.type);
}
