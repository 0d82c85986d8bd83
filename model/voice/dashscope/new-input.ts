// The part of the conversation that has come since the last response: what the server is told of it, and who answers.
import { textOfResult } from "../../../agent/context/cut-tool-result.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import type { ConversationPiece, FeedEntry } from "../realtime/conversation-feed.ts";
import type { WireIds } from "../realtime/wire-ids.ts";
import { MAX_PICTURE_CHARACTERS } from "./limits.ts";

export interface NewInput {
  /** Told in the instructions. */
  readonly pieces: readonly ConversationPiece[];
  /** Pictures of spoken messages, in base64. */
  readonly pictures: readonly ConversationPiece[];
  /** Items with the results of calls that the server has made. */
  readonly results: readonly object[];
  /**
   * The server answers what it has heard and the results of its own calls; all else is a text. Null where there is nothing
   * new to answer.
   */
  readonly answers: "server" | "text" | null;
}

export function readNewInput(entries: readonly FeedEntry[], ids: WireIds): NewInput {
  const pieces: ConversationPiece[] = [];
  const pictures: ConversationPiece[] = [];
  const results: object[] = [];
  const heard = new Set<string>();
  let answers: NewInput["answers"] = null;
  for (const entry of entries) {
    if (entry.type === "heard") {
      heard.add(entry.message.id);
      answers = "server";
      continue;
    }
    const { message, block } = entry;
    const call_id = block.type === "tool_result" ? ids.wire(block.id) : null;
    if (block.type === "tool_result" && call_id !== null) {
      const item = { type: "function_call_output", call_id, output: textOfResult(block) };
      results.push({ type: "conversation.item.create", item });
      answers = "server";
      continue;
    }
    if (heard.has(message.id) && pictureOf(block) !== null) {
      pictures.push({ message, block });
      continue;
    }
    const isAsked = message.role === "user" && !heard.has(message.id);
    if (isAsked || block.type === "tool_result") answers = "text";
    pieces.push({ message, block });
  }
  return { pieces, pictures, results, answers };
}

/** A picture that the server takes, in base64; null for any other block. */
export function pictureOf(block: ContentBlock): string | null {
  if (block.type !== "data" || block.source.type !== "base64") return null;
  const { data, media_type } = block.source;
  return media_type === "image/jpeg" && data.length <= MAX_PICTURE_CHARACTERS ? data : null;
}
