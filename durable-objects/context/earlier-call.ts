import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import type { EarlierCall } from "../../agent/context/context-keeper.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** The last model call of the conversation: of the open reply, or else of what came before it. As {@link earlierCall}. */
export function countedCall(
  tables: Parameters<typeof earlierCall>[0],
  history: readonly Msg[],
  reply: Pick<ReplyState, "last_call" | "message"> | null,
): EarlierCall | null {
  if (!reply?.last_call) return earlierCall(tables, history);
  const { block_id, tokens } = reply.last_call;
  return { message_id: reply.message.id, block_id, tokens };
}

/**
 * The last model call before the open reply, as its provider has counted it. Null when it was not counted, or messages
 * have left the context since it began. Two reads, of which the second has a row for each call of that reply.
 */
export function earlierCall(
  { replies, diagnostics, abilities }: Pick<SessionTables, "replies" | "diagnostics" | "abilities">,
  history: readonly Msg[],
): EarlierCall | null {
  const message = history.findLast(({ role }) => role === "assistant");
  const block = message?.content.findLast(isOfModel);
  const reply = message && replies.find(message.id);
  if (!message || !block || !reply) return null;
  if (abilities.changedAt(CONTEXT_FOLD) > reply.start_cursor) return null;
  const calls = diagnostics.list(reply.id).filter(({ kind }) => kind === "model");
  const last = calls.at(-1);
  if (last?.kind !== "model" || last.call.outcome !== "completed") return null;
  const { usage, usage_estimated, provider } = last.call;
  // The usage that an agent of another system tells says nothing of this context.
  if (provider === "a2a") return null;
  if (!usage || usage_estimated || usage.input_tokens === 0) return null;
  const { id: block_id } = block;
  return { message_id: message.id, block_id, tokens: usage.input_tokens + usage.output_tokens };
}

/** Results and hints of a reply come after the call that has asked for them, or before the next one. */
function isOfModel({ type }: ContentBlock): boolean {
  return type !== "tool_result" && type !== "hint";
}
