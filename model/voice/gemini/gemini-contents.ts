// The conversation in Gemini's form: turns of a history, and words and pictures of what comes later, which are the user's
// there. Data that cannot be shown are notes.
import { textOfResult } from "../../../agent/context/cut-tool-result.ts";
import type { ContentBlock, DataBlock, HintBlock } from "../../../protocol/messages/blocks.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { noteOfData } from "../../conversation/describe-data.ts";
import { imageTypeOf } from "../../conversation/image-types.ts";
import { inlineData } from "../../conversation/inline-data.ts";
import { parseStreamEvent } from "../../stream/stream-event.ts";
import type { ConversationPiece } from "../realtime/conversation-feed.ts";
import { toldHistory } from "../realtime/told-history.ts";

interface Content {
  readonly role: "user" | "model";
  readonly parts: readonly object[];
}

interface Picture {
  readonly mimeType: string;
  readonly data: string;
}

/** Turns of who speaks by turns: neighbours of one role are one. A call without a result is not among them. */
export function historyContents(history: readonly Msg[]): readonly Content[] {
  const pieces = toldHistory(history);
  const answered = new Set(
    pieces.flatMap(({ block }) => (block.type === "tool_result" ? [block.id] : [])),
  );
  const contents: { role: Content["role"]; parts: object[] }[] = [];
  for (const piece of pieces) {
    if (piece.block.type === "tool_call" && !answered.has(piece.block.id)) continue;
    const role = roleOf(piece);
    const part = toPart(piece.block);
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(part);
    else contents.push({ role, parts: [part] });
  }
  return contents;
}

function roleOf({ message, block }: ConversationPiece): Content["role"] {
  const isOwn = block.type === "text" || block.type === "tool_call";
  return message.role === "assistant" && isOwn ? "model" : "user";
}

function toPart(block: ContentBlock): object {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "tool_call":
      return {
        functionCall: { id: block.id, name: block.name, args: parseStreamEvent(block.input) ?? {} },
      };
    case "tool_result":
      return { functionResponse: { id: block.id, name: block.name, response: responseOf(block) } };
    case "data": {
      const picture = pictureOf(block);
      return picture ? { inlineData: picture } : { text: noteOfData(block) };
    }
    case "hint":
      return { text: hintText(block) };
    case "thinking":
      return { text: "" };
    default:
      return block satisfies never;
  }
}

/** The answer of a function: its result, or why it has none. */
export function responseOf(
  block: Extract<ContentBlock, { type: "tool_result" }>,
): Readonly<Record<string, string>> {
  return { [block.state === "error" ? "error" : "output"]: textOfResult(block) };
}

/** The picture of a block that the model can be shown; null for other data. */
export function pictureOf(block: DataBlock): Picture | null {
  const found = inlineData(block);
  const mimeType = found && imageTypeOf(found.media_type);
  return found && mimeType ? { mimeType, data: found.data } : null;
}

/** A piece in words, for the user's turn: what the user has not said is in brackets. Empty for what is no text. */
export function wordsOfPiece({ message, block }: ConversationPiece): string {
  switch (block.type) {
    case "text":
      return message.role === "assistant" ? `[You have written: ${block.text}]` : block.text;
    case "tool_call":
      return `[You have called ${block.name} with ${block.input}]`;
    case "tool_result":
      return `[The call of ${block.name} has the result: ${textOfResult(block)}]`;
    case "hint":
      return `[${hintText(block)}]`;
    case "data":
      return pictureOf(block) ? "" : noteOfData(block);
    case "thinking":
      return "";
    default:
      return block satisfies never;
  }
}

function hintText({ hint }: HintBlock): string {
  if (typeof hint === "string") return hint;
  return hint.map((part) => (part.type === "text" ? part.text : noteOfData(part))).join("\n");
}
