// The part of the conversation that has come since the last response: what the server is told of it, and who answers.
import { textOfResult } from "../../../agent/context/cut-tool-result.ts";
import type { ConversationPiece, FeedEntry } from "../realtime/conversation-feed.ts";
import type { WireIds } from "../realtime/wire-ids.ts";

export interface NewInput {
  /** Told in the instructions. */
  readonly pieces: readonly ConversationPiece[];
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
    const isAsked = message.role === "user" && !heard.has(message.id);
    if (isAsked || block.type === "tool_result") answers = "text";
    pieces.push({ message, block });
  }
  return { pieces, results, answers };
}
