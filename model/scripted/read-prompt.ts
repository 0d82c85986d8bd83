// Extracts from the messages what the scripted model needs.
import { getTextContent } from "../../protocol/messages/accessors.ts";
import type { ContentBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

export interface ScriptedPrompt {
  /** The text of the last user message, or of the hint that has begun the reply, and that of those before it. */
  readonly userText: string;
  readonly earlierUserText: string;
  /** Media types of the last user message's attachments. */
  readonly attachments: readonly string[];
  /** The results since the last user message, in order. */
  readonly results: readonly ToolResultBlock[];
  /** Blocks that the model itself has made since the last user message. */
  readonly modelBlocks: number;
}

export function readPrompt(messages: readonly Msg[]): ScriptedPrompt {
  const lastUser = messages.findLastIndex(isPrompt);
  const user = messages[lastUser];
  const since: readonly ContentBlock[] = messages
    .slice(lastUser + 1)
    .flatMap((message) => message.content);
  const earlier = messages.slice(0, Math.max(lastUser, 0)).filter(({ role }) => role === "user");
  return {
    userText: user ? textOf(user) : "",
    earlierUserText: earlier.map(textOf).join("\n"),
    attachments: (user?.content ?? []).flatMap((block) =>
      block.type === "data" ? [block.source.media_type] : [],
    ),
    results: since.filter((block): block is ToolResultBlock => block.type === "tool_result"),
    modelBlocks: since.filter(({ type }) => type !== "tool_result" && type !== "hint").length,
  };
}

/** A message of the user, or one with which the platform has begun a reply. */
function isPrompt({ role, metadata }: Msg): boolean {
  return role === "user" || typeof metadata["woken_by"] === "string";
}

function textOf(message: Msg): string {
  const [first] = message.content;
  if (message.role === "user" || first?.type !== "hint") return getTextContent(message) ?? "";
  if (typeof first.hint === "string") return first.hint;
  return first.hint.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
}
