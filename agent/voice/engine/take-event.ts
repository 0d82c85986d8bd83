// Events of the session's log, as the engine sees them: which reply is open, and the texts of its model calls.
import type { AgentEvent, LoggedEvent } from "../../../protocol/events.ts";
import { REPLY_RECOVERED } from "../../../protocol/fold/append-custom.ts";
import { command, change, changeCall, type Draft } from "./draft.ts";
import { addCall, clearItems } from "./spoken-calls.ts";
import type { SpokenBlock, SpokenCall } from "./voice-state.ts";

export function takeEvent(draft: Draft, event: LoggedEvent): void {
  switch (event.type) {
    case "REPLY_START":
      return change(draft, {
        reply: {
          reply_id: event.reply_id,
          is_call_open: false,
          calls: 0,
          is_interrupted: false,
        },
      });
    case "REPLY_END":
      return endReply(draft, event.reply_id);
    case "MODEL_CALL_START":
      return beginCall(draft, event);
    case "MODEL_CALL_END":
      return endCall(draft, event.reply_id);
    case "TEXT_BLOCK_START":
      return changeBlocks(draft, event.reply_id, (blocks) => [
        ...blocks,
        { block_id: event.block_id, text: "" },
      ]);
    case "TEXT_BLOCK_DELTA":
      return changeText(draft, event, (text) => text + event.delta);
    case "TEXT_BLOCK_END":
      return changeText(draft, event, (text) => event.text ?? text);
    case "CUSTOM":
      if (event.name === REPLY_RECOVERED) takeBack(draft, event.value);
      return;
    default:
      return;
  }
}

function endReply(draft: Draft, replyId: string): void {
  if (draft.state.reply?.reply_id === replyId) change(draft, { reply: null });
  for (const call of draft.state.calls) {
    if (call.reply_id === replyId) endWriting(draft, call);
  }
}

function beginCall(
  draft: Draft,
  { reply_id: replyId, seq }: Extract<LoggedEvent, { type: "MODEL_CALL_START" }>,
): void {
  const { reply, spoken, starting, calls } = draft.state;
  const known = reply?.reply_id === replyId ? reply : null;
  change(draft, {
    reply: {
      reply_id: replyId,
      is_call_open: true,
      calls: (known?.calls ?? 0) + 1,
      is_interrupted: known?.is_interrupted ?? false,
    },
  });
  // The session says that a reply has begun only after the first of its events.
  if (!spoken.includes(replyId) && starting.length === 0) return;
  const early = calls.find((call) => call.reply_id === null && !call.cut);
  if (early) changeCall(draft, early, { reply_id: replyId, seq });
  else addCall(draft, { reply_id: replyId, seq });
}

function endCall(draft: Draft, replyId: string): void {
  const { reply } = draft.state;
  if (reply?.reply_id === replyId) change(draft, { reply: { ...reply, is_call_open: false } });
  const call = writtenCall(draft, replyId);
  if (call) endWriting(draft, call);
}

function endWriting(draft: Draft, call: SpokenCall): void {
  if (!call.is_written) changeCall(draft, call, { is_written: true, event_ms: draft.now });
}

/** The call of the reply that is being written. */
function writtenCall(draft: Draft, replyId: string): SpokenCall | undefined {
  return draft.state.calls.filter((call) => call.reply_id === replyId && !call.is_written).at(-1);
}

function changeBlocks(
  draft: Draft,
  replyId: string,
  next: (blocks: readonly SpokenBlock[]) => readonly SpokenBlock[],
): void {
  const call = writtenCall(draft, replyId);
  if (call) changeCall(draft, call, { blocks: next(call.blocks) });
}

function changeText(
  draft: Draft,
  { reply_id, block_id }: Extract<AgentEvent, { type: "TEXT_BLOCK_DELTA" | "TEXT_BLOCK_END" }>,
  next: (text: string) => string,
): void {
  changeBlocks(draft, reply_id, (blocks) =>
    blocks.map((block) =>
      block.block_id === block_id ? { block_id, text: next(block.text) } : block,
    ),
  );
}

/** A failed try is taken back, and made again: what was said of it is cleared. */
function takeBack(draft: Draft, value: Readonly<Record<string, unknown>>): void {
  const { reply_id, discard_block_ids } = value;
  const call = typeof reply_id === "string" ? writtenCall(draft, reply_id) : undefined;
  if (!call || !Array.isArray(discard_block_ids)) return;
  const blocks = call.blocks.filter(({ block_id }) => !discard_block_ids.includes(block_id));
  if (draft.state.settings.truncation === "explicit") {
    for (const { item_id } of call.items) command(draft, { type: "delete_item", item_id });
  }
  const cleared = clearItems(draft, call);
  changeCall(draft, cleared, { blocks, is_done: true, is_muted: true });
}
