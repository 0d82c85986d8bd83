// Normalises imported messages: every result follows its call in the same message, and every call has one. Providers
// refuse a conversation in which that is not so, at every later turn.
import type {
  ContentBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

const NO_RESULT = "This call was still open when its conversation was imported.";

/**
 * Results in a later message of their own, as some platforms keep them, move to the message of their call; a message
 * that held nothing else is removed. Unfinished calls get an `interrupted` result.
 * @returns The messages, or the place of the first result that has no call before it.
 */
export function settleCalls(
  messages: readonly Msg[],
): { readonly orphan: { message: number; block: number } } | { readonly messages: readonly Msg[] } {
  const contents = new Map<Msg, ContentBlock[]>();
  const homes = new Map<string, ContentBlock[]>();
  for (const [index, message] of messages.entries()) {
    const content: ContentBlock[] = [];
    contents.set(message, content);
    for (const [position, block] of message.content.entries()) {
      if (block.type === "tool_call") homes.set(block.id, content);
      const home = block.type === "tool_result" ? homes.get(block.id) : content;
      if (!home) return { orphan: { message: index, block: position } };
      home.push(block);
    }
  }
  return {
    messages: messages.flatMap((message) => {
      const content = contents.get(message) ?? [];
      if (content.length === 0 && message.content.length > 0) return [];
      return [{ ...message, content: content.flatMap((block) => settle(block, content)) }];
    }),
  };
}

function settle(block: ContentBlock, content: readonly ContentBlock[]): ContentBlock[] {
  if (block.type === "tool_result" && block.state === "running") {
    return [{ ...block, state: "interrupted", finished_at: block.finished_at ?? block.created_at }];
  }
  if (block.type !== "tool_call") return [block];
  const hasResult = content.some((other) => other.type === "tool_result" && other.id === block.id);
  if (block.state === "finished" && hasResult) return [block];
  const finished_at = block.finished_at ?? block.created_at;
  const call: ToolCallBlock = { ...block, state: "finished", finished_at };
  return hasResult ? [call] : [call, missingResult(call)];
}

/** Takes its times from the call, so that importing the same state twice gives the same messages. */
function missingResult({ id, name, created_at, finished_at }: ToolCallBlock): ToolResultBlock {
  return {
    type: "tool_result",
    id,
    name,
    output: NO_RESULT,
    state: "interrupted",
    metadata: {},
    created_at,
    finished_at: finished_at ?? created_at,
  };
}
