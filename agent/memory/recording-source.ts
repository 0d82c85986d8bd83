// The words of a reply that memories may be made of: what its user and its model have said in it, and nothing else. No
// recalled memory, result of a tool, hint, thought, summary or system prompt is ever one of them.
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_SOURCE_CHARACTERS } from "../../protocol/memory/limits.ts";
import { cutMiddle } from "../context/cut-middle.ts";

export interface SourceStatement {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** A quotation shorter than this may be chance. */
const MIN_QUOTED_CHARACTERS = 12;
const CUT = "[…]";

/**
 * @param input The messages of the user that the reply is the first to answer, as hooks left them. @param reply Its
 *   message. @param recalled Texts of memories that the model was told: where it repeats one, that is left out.
 * @returns Nothing where neither has said a word.
 */
export function recordingSource(
  input: readonly Msg[],
  reply: Msg,
  recalled: readonly string[] = [],
): readonly SourceStatement[] {
  const quotable = [...recalled, ...reply.content.flatMap(foreignTexts)]
    .map((text) => text.trim())
    .filter((text) => text.length >= MIN_QUOTED_CHARACTERS)
    .sort((first, second) => second.length - first.length);
  const said = [
    ...input
      .filter(({ role }) => role === "user")
      .map((message) => ({ role: "user" as const, text: ownText(message) })),
    { role: "assistant" as const, text: withoutQuotations(ownText(reply), quotable) },
  ].filter(({ text }) => hasWord(text));
  if (!said.some(({ role }) => role === "user")) return [];
  const room = Math.floor(MAX_SOURCE_CHARACTERS / Math.max(1, said.length));
  return said.map(({ role, text }) => ({
    role,
    text: cutMiddle(text, Math.max(room, CUT.length)),
  }));
}

/** The text that is searched with before a reply: what the user has just said. */
export function recallText(history: readonly Msg[]): string {
  return newInput(history)
    .map(ownText)
    .filter((text) => text !== "")
    .join("\n");
}

/** The messages of users behind the last one that is not theirs. */
export function newInput(history: readonly Msg[]): readonly Msg[] {
  let from = history.length;
  while (from > 0 && history[from - 1]?.role === "user") from -= 1;
  return history.slice(from);
}

/** The text blocks of a message, joined. */
function ownText({ content }: Msg): string {
  return content
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n")
    .trim();
}

/** Texts that a model may repeat without having said them: results of tools, and hints. */
function foreignTexts(block: ContentBlock): readonly string[] {
  if (block.type !== "tool_result" && block.type !== "hint") return [];
  const texts = block.type === "hint" ? block.hint : block.output;
  if (typeof texts === "string") return [texts];
  return texts.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

function withoutQuotations(text: string, quotable: readonly string[]): string {
  return quotable.reduce((left, quoted) => left.replaceAll(quoted, CUT), text);
}

function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text.replaceAll(CUT, ""));
}
