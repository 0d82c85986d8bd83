// The conversation as a model is shown it: the summary in place of everything up to the boundary.
import type { TextBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ContextState } from "./context-fold.ts";

/** The id of the opening message where there is no summary. */
const TRUNCATED_ID = "context_truncated";

const TRUNCATED_NOTE =
  "<system-info>Earlier messages of this conversation are left out here, because it had become too long.</system-info>";

const REQUEST_NOTE = "<system-info>This is what the user wrote before what follows:</system-info>";

/** One object for each state, so that its tokens are counted once. */
const openings = new WeakMap<ContextState, Msg>();

/**
 * @param messages Oldest first. They may begin after the boundary. The last one is always in the result, if only empty:
 *   it may be the reply so far.
 */
export function contextView(messages: readonly Msg[], state: ContextState): readonly Msg[] {
  const opening = openingOf(state);
  const kept = afterBoundary(messages, state);
  return opening ? [opening, ...kept] : kept;
}

/** The message with which the view of a compressed or truncated conversation begins. */
export function isOpening(
  { id }: Pick<Msg, "id">,
  { summary, is_truncated }: ContextState,
): boolean {
  return summary ? id === summary.id : is_truncated && id === TRUNCATED_ID;
}

/** The messages that the boundary leaves; the one that holds it without its first blocks. */
export function afterBoundary(
  messages: readonly Msg[],
  { boundary }: Pick<ContextState, "boundary">,
): readonly Msg[] {
  if (!boundary) return messages;
  const index = messages.findIndex(({ id }) => id === boundary.message_id);
  const message = messages[index];
  if (!message) return messages;
  const { block_id } = boundary;
  const last =
    block_id === null
      ? message.content.length - 1
      : message.content.map(({ id }) => id).lastIndexOf(block_id);
  const content = message.content.slice(last + 1);
  const isNewest = index === messages.length - 1;
  const rest = messages.slice(index + 1);
  return content.length > 0 || isNewest ? [{ ...message, content }, ...rest] : rest;
}

function openingOf(state: ContextState): Msg | null {
  const known = openings.get(state);
  if (known) return known;
  const { summary, is_truncated, request } = state;
  if (!summary && !is_truncated) return null;
  const id = summary?.id ?? TRUNCATED_ID;
  const created_at = summary?.created_at ?? "1970-01-01T00:00:00.000Z";
  const textBlock = (blockId: string, text: string): TextBlock => ({
    type: "text",
    text,
    id: blockId,
    created_at,
    finished_at: created_at,
  });
  const opening: Msg = {
    id,
    name: "summary",
    role: "user",
    content: [
      ...(summary ? [textBlock(id, summary.text)] : []),
      ...(is_truncated ? [textBlock(`${id}:truncated`, TRUNCATED_NOTE)] : []),
      ...(request === null ? [] : [textBlock(`${id}:request`, `${REQUEST_NOTE}\n${request}`)]),
    ],
    metadata: {},
    created_at,
    usage: null,
    finished_at: created_at,
    finished_reason: null,
    structured_output: null,
    error: null,
  };
  openings.set(state, opening);
  return opening;
}
