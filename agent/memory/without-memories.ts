// Messages for models without memories that are not there any more. The log keeps what was said.
import type { ContentBlock, TextOrDataBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { mayTell, memoriesIn, memoryOfLine } from "./recall-hint.ts";

/** The ids of memories that are not told, or all of them. */
export type GoneMemories = ReadonlySet<string> | "all";

const DELETED = "What was found here of earlier conversations is not shown any more.";

/** Of a hint and of a result the other memories stay; a hint without any is left out, and a call keeps a result. */
export function withoutMemories(messages: readonly Msg[], gone: GoneMemories): readonly Msg[] {
  if (gone !== "all" && gone.size === 0) return messages;
  if (!messages.some(({ content }) => content.some(mayTell))) return messages;
  return messages.map((message) => {
    const content = message.content.flatMap((block) => withoutGone(block, gone));
    const isSame = content.length === message.content.length;
    return isSame && content.every((block, at) => block === message.content[at])
      ? message
      : { ...message, content };
  });
}

function withoutGone(block: ContentBlock, gone: GoneMemories): readonly ContentBlock[] {
  const ids = memoriesIn(block).map(([id]) => id);
  const left = ids.filter((id) => gone !== "all" && !gone.has(id));
  if (left.length === ids.length) return [block];
  const isEmpty = left.length === 0;
  const kept = new Set(left);
  if (block.type === "tool_result") {
    return [{ ...block, output: isEmpty ? DELETED : linesOf(block.output, kept) }];
  }
  if (block.type !== "hint" || isEmpty) return [];
  return [{ ...block, hint: linesOf(block.hint, kept) }];
}

function linesOf(
  text: string | readonly TextOrDataBlock[],
  kept: ReadonlySet<string>,
): string | TextOrDataBlock[] {
  if (typeof text === "string") return keptLines(text, kept);
  return text.map((part) =>
    part.type === "text" ? { ...part, text: keptLines(part.text, kept) } : part,
  );
}

function keptLines(text: string, kept: ReadonlySet<string>): string {
  const lines = text.split("\n").filter((line) => {
    const id = memoryOfLine(line);
    return id === null || kept.has(id);
  });
  return lines.join("\n");
}
