// Takes back the visible output of a model call or a tool that failed, before it is repeated.
import { REPLY_RECOVERED, type ReplyRecoveredValue } from "../../protocol/fold/append-custom.ts";
import type { ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { endModelCall } from "../state/close-reply.ts";
import { turnBlocks, type ReplyState } from "../state/reply-state.ts";

/**
 * Takes back the open model call with all its output, and `results`; no events when there is neither. Completed blocks
 * of the call and its hints are taken back too. Open blocks get their END right after, for readers that do not know
 * `reply_recovered`.
 * @param metadata Of the `MODEL_CALL_END`.
 */
export function takeBack(
  state: ReplyState,
  results: readonly ToolResultBlock[] = [],
  metadata?: Record<string, unknown>,
): EventDraft[] {
  if (!state.is_model_call_open && results.length === 0) return [];
  const reply_id = state.message.id;
  const said = state.is_model_call_open ? turnBlocks(state) : [];
  const value: ReplyRecoveredValue = {
    reply_id,
    discard_block_ids: said.flatMap(({ type, id }) =>
      type === "tool_call" || type === "tool_result" ? [] : [id],
    ),
    discard_tool_call_ids: said.flatMap(({ type, id }) => (type === "tool_call" ? [id] : [])),
    discard_tool_result_ids: results.map(({ id }) => id),
  };
  return [
    { type: "CUSTOM", name: REPLY_RECOVERED, reply_id, value: { ...value } },
    ...(state.is_model_call_open ? endModelCall(state, null, { metadata, text: "" }) : []),
  ];
}
