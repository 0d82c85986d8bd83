// Builds the messages of a model request: the stored conversation, made acceptable to a provider.
import type {
  ContentBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { Ability } from "../ability.ts";
import { INTERRUPT_SOURCE } from "./interrupt-reply.ts";
import { ROUND_LIMIT_SOURCE } from "../state/round-summary.ts";

/**
 * The history and the reply so far, without empty messages. Truncated JSON in calls becomes `{}` and a call without a
 * result gets one: providers would refuse the conversation at every later turn. Hints of earlier replies that held for
 * their reply alone are left out.
 */
export function modelContext(
  history: readonly Msg[],
  current: Msg,
  abilities: readonly Ability[],
): readonly Msg[] {
  const expiring = new Set([
    ROUND_LIMIT_SOURCE,
    INTERRUPT_SOURCE,
    ...abilities.flatMap(({ hint }) => (hint && !hint.outlivesReply ? hint.source : [])),
  ]);
  const shown = abilities.reduce<readonly Msg[]>(
    (messages, ability) => ability.changeContext?.(messages) ?? messages,
    [...history.map((message) => withoutHints(message, expiring)), current],
  );
  return shown
    .filter((message) => message.content.length > 0)
    .map((message) => (message.role === "assistant" ? repairMessage(message) : message));
}

function withoutHints(message: Msg, sources: ReadonlySet<string>): Msg {
  const isExpiring = (block: ContentBlock) =>
    block.type === "hint" && block.source !== null && sources.has(block.source);
  if (!message.content.some(isExpiring)) return message;
  return { ...message, content: message.content.filter((block) => !isExpiring(block)) };
}

function repairMessage(message: Msg): Msg {
  const answered = new Set(
    message.content.filter((block) => block.type === "tool_result").map((block) => block.id),
  );
  const content = message.content.flatMap((block): ContentBlock[] => {
    if (isEmptyData(block)) return [];
    if (block.type !== "tool_call") return [block];
    const call = isJsonObject(block.input) ? block : { ...block, input: "{}" };
    return answered.has(block.id) ? [call] : [call, missingResult(block)];
  });
  return { ...message, content };
}

/** Data without bytes, as some models send it. Providers refuse an empty picture. */
function isEmptyData(block: ContentBlock): boolean {
  return block.type === "data" && block.source.type === "base64" && block.source.data === "";
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
