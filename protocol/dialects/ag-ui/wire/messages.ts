// Converts messages to AG-UI's: one message here becomes several there.
import type {
  ContentBlock,
  DataBlock,
  HintBlock,
  TextOrDataBlock,
  ToolResultBlock,
} from "../../../messages/blocks.ts";
import type { Msg } from "../../../messages/messages.ts";
import { appActivity } from "./app-activity.ts";
import { toContentPart, type AgUiContentPart } from "./to-content-part.ts";
import { clientMessageId, resultMessage, type AgUiToolMessage } from "./result-message.ts";

interface AgUiToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly encryptedValue?: string;
}

interface OfLane {
  /** The lane of the called agent, or of the turn of a room, that has said it. */
  readonly subagentRunId?: string;
}

interface AgUiAssistantMessage extends OfLane {
  readonly id: string;
  readonly role: "assistant";
  /** Of a participant of a room. */
  readonly name?: string;
  readonly content?: string;
  readonly toolCalls?: readonly AgUiToolCall[];
}

interface AgUiReasoningMessage extends OfLane {
  readonly id: string;
  readonly role: "reasoning";
  readonly content: string;
  readonly encryptedValue?: string;
}

interface AgUiActivityMessage extends OfLane {
  readonly id: string;
  readonly role: "activity";
  readonly activityType: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export type AgUiMessage =
  | AgUiAssistantMessage
  | AgUiToolMessage
  | AgUiReasoningMessage
  | AgUiActivityMessage
  | { readonly id: string; readonly role: "system"; readonly content: string }
  | {
      readonly id: string;
      readonly role: "user";
      /** Set when the client gave one. */
      readonly name?: string;
      readonly content: string | readonly AgUiContentPart[];
    };

/** Activity type of an image, sound or document from the agent. */
export const DATA_ACTIVITY = "agentscope.data";
/** Activity type of hints that the platform gave the model. */
export const HINT_ACTIVITY = "agentscope.hint";

/**
 * The message as a client of the translated stream holds it, with the same ids. It may be incomplete: open blocks
 * contain what has arrived, results appear only when they have ended.
 */
export function toAgUiMessages(message: Msg): AgUiMessage[] {
  if (message.role === "assistant") return assistantMessages(message);
  const { id, role, content, name } = message;
  if (role === "system") return [{ id, role, content: joinTexts(content) }];
  const isPlain = content.every((block) => block.type === "text");
  const parts = content.filter(isTextOrData).map(toContentPart);
  const named = name === role ? {} : { name };
  return [{ id, role, ...named, content: isPlain ? joinTexts(content) : parts }];
}

function assistantMessages({ id: replyId, content }: Msg): AgUiMessage[] {
  const messages: AgUiMessage[] = [];
  const awaited = new Set(
    content.flatMap((block) =>
      block.type === "tool_call" && block.state === "submitted" ? [block.id] : [],
    ),
  );
  content.forEach((block, index) => {
    switch (block.type) {
      case "text":
        messages.push({ id: block.id, role: "assistant", content: block.text });
        break;
      case "thinking": {
        const signature = block["signature"];
        messages.push({
          id: block.id,
          role: "reasoning",
          content: block.thinking,
          ...(typeof signature === "string" && signature && { encryptedValue: signature }),
        });
        break;
      }
      case "tool_call":
        addCall(messages, callParentId(content, block.id, index), {
          id: block.id,
          type: "function",
          function: { name: block.name, arguments: block.input },
          ...(block.signature && { encryptedValue: block.signature }),
        });
        break;
      case "tool_result": {
        if (!isVisible(block, awaited)) break;
        addResult(messages, resultMessage(replyId, block), clientMessageId(block) !== null);
        const app = appActivity(replyId, block, content);
        if (app) messages.push({ role: "activity", ...app });
        break;
      }
      case "data":
        messages.push({
          id: block.id,
          role: "activity",
          activityType: DATA_ACTIVITY,
          content: dataActivity(block),
        });
        break;
      case "hint":
        messages.push({
          id: block.id,
          role: "activity",
          activityType: HINT_ACTIVITY,
          content: hintActivity(block),
        });
        break;
      default:
        block satisfies never;
    }
  });
  return messages;
}

/**
 * The id of the assistant message that a call belongs to: the last text of its round, else an id derived from the
 * round's first call. A result ends a round. @param end Index of the call's block; only blocks before it count.
 */
export function callParentId(
  content: readonly ContentBlock[],
  callId: string,
  end = content.length,
): string {
  let firstCall = callId;
  for (let index = end - 1; index >= 0; index -= 1) {
    const block = content[index];
    if (!block || block.type === "tool_result") break;
    if (block.type === "text") return block.id;
    if (block.type === "tool_call") firstCall = block.id;
  }
  return `calls:${firstCall}`;
}

/** Until the data is complete it contains type and name only. */
export function dataActivity(block: DataBlock): Readonly<Record<string, unknown>> {
  const { source, name, finished_at } = block;
  const base = { mediaType: source.media_type, ...(name !== null && { name }) };
  if (finished_at === null) return base;
  return { ...base, ...(source.type === "url" ? { url: source.url } : { data: source.data }) };
}

export function hintActivity({
  hint,
  source,
}: Pick<HintBlock, "hint" | "source">): Readonly<Record<string, unknown>> {
  const content = typeof hint === "string" ? hint : hint.map(toContentPart);
  return { hint: content, ...(source !== null && { source }) };
}

function addCall(messages: AgUiMessage[], parentId: string, call: AgUiToolCall): void {
  const index = findFromEnd(messages, ({ id, role }) => id === parentId && role === "assistant");
  const parent = messages[index];
  if (parent?.role !== "assistant") {
    messages.push({ id: parentId, role: "assistant", toolCalls: [call] });
    return;
  }
  messages[index] = { ...parent, toolCalls: [...(parent.toolCalls ?? []), call] };
}

/**
 * Inserts a result where clients do: after its call's message and that call's other results. A message that a client
 * wrote itself goes to the end. @param isClients The client wrote it.
 */
function addResult(messages: AgUiMessage[], result: AgUiToolMessage, isClients: boolean): void {
  const owner = findFromEnd(
    messages,
    (message) =>
      message.role === "assistant" &&
      message.toolCalls?.some(({ id }) => id === result.toolCallId) === true,
  );
  if (owner < 0 || isClients) {
    messages.push(result);
    return;
  }
  let index = owner + 1;
  while (messages[index]?.role === "tool") index += 1;
  messages.splice(index, 0, result);
}

/**
 * False while the result is incomplete, and between an external answer and the result's end, unless a client already
 * has the message.
 */
function isVisible(result: ToolResultBlock, awaited: ReadonlySet<string>): boolean {
  if (result.state === "running") return false;
  return !awaited.has(result.id) || clientMessageId(result) !== null;
}

/** Searches backwards: the target is in the last round, and a reply may have thousands of calls. */
function findFromEnd(
  messages: readonly AgUiMessage[],
  isWanted: (message: AgUiMessage) => boolean,
): number {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message && isWanted(message)) return index;
  }
  return -1;
}

function isTextOrData(block: ContentBlock): block is TextOrDataBlock {
  return block.type === "text" || block.type === "data";
}

function joinTexts(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
