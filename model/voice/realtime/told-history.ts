// The part of a conversation that a new provider connection is told: the newest, as much as it takes within its first
// seconds. What is older is in the agent's summary, where it has one.
import type { Msg } from "../../../protocol/messages/messages.ts";
import { conversationPieces, type ConversationPiece } from "./conversation-feed.ts";

/** Pieces that are told: each is a frame that the provider answers. */
const MAX_PIECES = 500;
/** Characters of them, without those of pictures. */
const MAX_CHARACTERS = 1_000_000;
/** Pictures among them, the newest; others are notes. */
const MAX_PICTURES = 8;
/** Characters of all these pictures in base64. */
const MAX_PICTURE_CHARACTERS = 4_000_000;

/** Whole, in order: a result has its call before it. */
export function toldHistory(history: readonly Msg[]): readonly ConversationPiece[] {
  const told: ConversationPiece[] = [];
  let characters = 0;
  let pictures = 0;
  let pictureCharacters = 0;
  for (const piece of conversationPieces(history).toReversed()) {
    const { block } = piece;
    if (block.type === "data") {
      const bytes = block.source.type === "base64" ? block.source.data.length : 0;
      pictures += 1;
      pictureCharacters += bytes;
      if (pictures > MAX_PICTURES || pictureCharacters > MAX_PICTURE_CHARACTERS) continue;
    } else characters += JSON.stringify(block).length;
    if (characters > MAX_CHARACTERS || told.length >= MAX_PIECES) break;
    told.push(piece);
  }
  told.reverse();
  return withCalls(told);
}

/** Without results whose calls are older than the part. */
function withCalls(pieces: readonly ConversationPiece[]): readonly ConversationPiece[] {
  const called = new Set<string>();
  return pieces.filter(({ block }) => {
    if (block.type === "tool_call") called.add(block.id);
    return block.type !== "tool_result" || called.has(block.id);
  });
}
