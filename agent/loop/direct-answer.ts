// Tools with `return_direct`: their results are the reply's answer, which no model reads first.
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_REPLY_BLOCKS } from "../../protocol/replies/limits.ts";
import { outputPieces, pieceCharacters, type OutputPiece } from "../answers/external-output.ts";
import { blockEvents } from "../answers/block-events.ts";
import { cutText } from "../json/split-text.ts";
import type { NewId, ToolDeclaration } from "../ports.ts";
import { roomForWords } from "../state/budget.ts";
import { turnBlocks, type ReplyState } from "../state/reply-state.ts";

/**
 * The results of the turn, in the order of its calls, when they are the answer: every call is one of a tool with
 * `return_direct`, and has succeeded. Null when the model has to continue.
 */
export function directResults(
  state: ReplyState,
  tools: readonly ToolDeclaration[],
): readonly ToolResultBlock[] | null {
  if (state.is_model_call_open) return null;
  const blocks = turnBlocks(state);
  const calls = blocks.filter((block): block is ToolCallBlock => block.type === "tool_call");
  const direct = new Set(tools.flatMap((tool) => (tool.return_direct ? tool.name : [])));
  const results = calls.flatMap(({ id, name }) =>
    blocks.filter(
      (block): block is ToolResultBlock =>
        block.type === "tool_result" &&
        block.id === id &&
        block.state === "success" &&
        direct.has(name),
    ),
  );
  return results.length > 0 && results.length === calls.length ? results : null;
}

/** The results as text and data blocks of the message. What the reply has no room for is in the results alone. */
export function directAnswer(
  state: ReplyState,
  results: readonly ToolResultBlock[],
  newId: NewId,
): EventDraft[] {
  const reply_id = state.message.id;
  let room = roomForWords(state);
  let blocks = MAX_REPLY_BLOCKS - state.message.content.length;
  return results
    .flatMap(({ output }) => outputPieces(output))
    .flatMap((piece): EventDraft[] => {
      const kept = fitted(piece, room);
      if (!kept || blocks <= 0) return [];
      room -= pieceCharacters(kept);
      blocks -= 1;
      return blockEvents(kept, { reply_id, block_id: newId("blk") });
    });
}

/** A text is cut, data is kept or left out. Null when nothing is left. */
function fitted(piece: OutputPiece, room: number): OutputPiece | null {
  if (pieceCharacters(piece) <= room) return piece;
  if (piece.type !== "text" || room <= 0) return null;
  return { ...piece, text: cutText(piece.text, room) };
}
