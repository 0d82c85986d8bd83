// What the model is shown of the conversation: the messages as they are stored, made acceptable to a provider.
import type { ContentBlock, ToolCallBlock, ToolResultBlock } from "../protocol/blocks.ts";
import type { Msg } from "../protocol/messages.ts";

/**
 * The history and the reply so far, without empty messages. Truncated call JSON never stays: a provider refuses
 * the whole conversation for it, at every later turn. A call without a result gets one for the same reason.
 */
export function modelContext(history: readonly Msg[], current: Msg): readonly Msg[] {
  return [...history, current]
    .filter((message) => message.content.length > 0)
    .map((message) => (message.role === "assistant" ? repairMessage(message) : message));
}

function repairMessage(message: Msg): Msg {
  const answered = new Set(
    message.content.filter((block) => block.type === "tool_result").map((block) => block.id),
  );
  const content = message.content.flatMap((block): ContentBlock[] => {
    if (block.type !== "tool_call") return [block];
    const call = isJsonObject(block.input) ? block : { ...block, input: "{}" };
    return answered.has(block.id) ? [call] : [call, missingResult(block)];
  });
  return { ...message, content };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function missingResult(call: ToolCallBlock): ToolResultBlock {
  return {
    type: "tool_result",
    id: call.id,
    name: call.name,
    output: "This call has no result.",
    state: "interrupted",
    metadata: {},
    created_at: call.created_at,
    finished_at: call.created_at,
  };
}
