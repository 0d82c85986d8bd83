// Converts a client's input to messages of the conversation. Pure, but for the ids that it is given.
import { AssistantMsg, UserMsg } from "../../protocol/messages/constructors.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ReplyStart } from "../api/session-api.ts";

export interface InputContext {
  readonly newMessageId: () => string;
  readonly created_at: string;
}

/** The messages of an input, in order. */
export function inputMessages(input: ReplyStart["input"], context: InputContext): readonly Msg[] {
  if (typeof input === "string") return [toMessage({ content: input }, context)];
  if (!Array.isArray(input)) return [toMessage(input as InputMessage, context)];
  if (areMessages(input)) return input.map((message) => toMessage(message, context));
  return [toMessage({ content: input as InputMessage["content"] }, context)];
}

function areMessages(input: readonly object[]): input is readonly InputMessage[] {
  return input.every((item) => "content" in item);
}

function toMessage(input: Partial<InputMessage>, { newMessageId, created_at }: InputContext): Msg {
  const fields = {
    name: input.name ?? "user",
    content: input.content ?? [],
    id: input.id ?? newMessageId(),
    metadata: input.metadata ?? {},
    created_at: input.created_at ?? created_at,
  };
  if (input.role !== "assistant") return UserMsg(fields);
  return { ...AssistantMsg(fields), finished_at: fields.created_at };
}

/** Whether two messages have the same content, apart from ids and times of their blocks. */
export function isSameMessage(first: Msg, second: Msg): boolean {
  return JSON.stringify(essence(first)) === JSON.stringify(essence(second));
}

function essence({ role, name, content, metadata }: Msg): unknown {
  return { role, name, metadata, content: content.map(blockEssence) };
}

/** A block without the members that get a new default each time. */
function blockEssence({ created_at: _, finished_at: __, ...block }: ContentBlock): unknown {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "data":
      return { source: block.source, name: block.name };
    case "thinking":
      return { ...block, id: undefined };
    case "hint":
      return { ...block, id: undefined, hint: partsEssence(block.hint) };
    case "tool_result":
      return { ...block, output: partsEssence(block.output) };
    default:
      return block;
  }
}

function partsEssence(parts: string | readonly ContentBlock[]): unknown {
  return typeof parts === "string" ? parts : parts.map(blockEssence);
}
