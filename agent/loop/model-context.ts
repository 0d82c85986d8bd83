// Builds the messages of a model request: the stored conversation, made acceptable to a provider.
import { MAX_KEPT_HINT_CHARACTERS } from "../../protocol/context/limits.ts";
import type {
  ContentBlock,
  HintBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { Ability } from "../ability.ts";
import { INTERRUPT_SOURCE } from "./interrupt-reply.ts";
import type { ToolDeclaration } from "../ports.ts";
import { ROUND_LIMIT_SOURCE } from "../state/round-summary.ts";
import { withSpeechNote } from "../voice/with-speech-note.ts";

/**
 * The history and the reply so far, without empty messages. Truncated JSON in calls becomes `{}` and a call without a
 * result gets one: providers would refuse the conversation at every later turn. Hints of earlier replies that held for
 * their reply alone are left out, and large ones that newer ones replace; speech without a transcript gets a note. All else is what it was in the request
 * before, so that the provider's prompt cache has it.
 * @param current The message of the reply so far; of a conversation without one, its last message.
 * @param tools That the model is offered.
 */
export function modelContext(
  history: readonly Msg[],
  current: Msg,
  abilities: readonly Ability[],
  tools: readonly Pick<ToolDeclaration, "name">[] = [],
): readonly Msg[] {
  const expiring = new Set([
    ROUND_LIMIT_SOURCE,
    INTERRUPT_SOURCE,
    ...abilities.flatMap(({ hint }) => (hint && !outlivesReply(hint, tools) ? hint.source : [])),
  ]);
  const replaced = new Set(
    abilities.flatMap(({ hint }) => (hint?.replacesEarlier ? hint.source : [])),
  );
  const earlier = history.map((message) => withoutHints(withSpeechNote(message), expiring));
  const kept = [...earlier, current];
  const shown = abilities.reduce<readonly Msg[]>(
    (messages, ability) => ability.changeContext?.(messages) ?? messages,
    withoutReplaced(kept, replaced),
  );
  return shown
    .filter((message) => message.content.length > 0)
    .map((message) => (message.role === "assistant" ? repairMessage(message) : message));
}

function outlivesReply(
  { outlivesReply: lasting }: NonNullable<Ability["hint"]>,
  tools: readonly Pick<ToolDeclaration, "name">[],
): boolean {
  if (typeof lasting === "boolean") return lasting;
  return tools.some(({ name }) => name === lasting.withTool);
}

function withoutHints(message: Msg, sources: ReadonlySet<string>): Msg {
  return withoutBlocks(message, (block) => isHintOf(block, sources));
}

/** Without the large hints that newer ones of their source replace. Small ones stay: leaving them out would cost more. */
function withoutReplaced(messages: readonly Msg[], sources: ReadonlySet<string>): readonly Msg[] {
  const newest = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) =>
        isHintOf(block, sources) ? [[block.source, block] as const] : [],
      ),
    ),
  );
  return messages.map((message) =>
    withoutBlocks(
      message,
      (block) =>
        isHintOf(block, sources) &&
        newest.get(block.source) !== block &&
        block.hint.length > MAX_KEPT_HINT_CHARACTERS,
    ),
  );
}

function isHintOf(block: ContentBlock, sources: ReadonlySet<string>): block is HintBlock {
  return block.type === "hint" && block.source !== null && sources.has(block.source);
}

function withoutBlocks(message: Msg, isLeftOut: (block: ContentBlock) => boolean): Msg {
  if (!message.content.some(isLeftOut)) return message;
  return { ...message, content: message.content.filter((block) => !isLeftOut(block)) };
}

function repairMessage(message: Msg): Msg {
  const answered = new Set(
    message.content.filter((block) => block.type === "tool_result").map((block) => block.id),
  );
  const content = message.content.flatMap((block): ContentBlock[] => {
    if (isEmptyData(block)) return [];
    if (block.type !== "tool_call") return [block];
    const call = hasValidInput(block) ? block : { ...block, input: "{}" };
    return answered.has(block.id) ? [call] : [call, missingResult(block)];
  });
  return { ...message, content };
}

/** Data without bytes, as some models send it. Providers refuse an empty picture. */
function isEmptyData(block: ContentBlock): boolean {
  return block.type === "data" && block.source.type === "base64" && block.source.data === "";
}

/** Calls whose input is known to be valid: each request has all of the conversation's. */
const validCalls = new WeakSet<ToolCallBlock>();

function hasValidInput(call: ToolCallBlock): boolean {
  if (validCalls.has(call)) return true;
  const isValid = isJsonObject(call.input);
  if (isValid) validCalls.add(call);
  return isValid;
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
