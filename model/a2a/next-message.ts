// The next message to an agent of another system: the messages that it has not seen, or the answer to what it has asked. Our
// prompt, tools, hints and summaries stay here. Pure.
import { answerParts, type AskedQuestion } from "../../agent/a2a/read-questions.ts";
import type { ModelRequest } from "../../agent/ports.ts";
import { A2A_EXTENSION, type A2aOutputSchema } from "../../protocol/a2a/extension.ts";
import {
  REMOTE_QUESTION_TOOL,
  type RemoteConversation,
} from "../../protocol/a2a/remote-conversation.ts";
import type { A2aPart } from "../../protocol/a2a/wire.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json-object.ts";
import type { InputResponses } from "../../protocol/mcp/events.ts";
import type { ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../protocol/schemas/structured-output.ts";
import { messageParts } from "./message-parts.ts";

interface Sending {
  readonly parts: readonly A2aPart[];
  /** Of an answer. */
  readonly task_id?: string;
  readonly sent_through: string | null;
  readonly answered_call: string | null;
}

export type NextMessage =
  | ({ readonly type: "send" } & Sending)
  /** Nobody has answered what the task needs: it is cancelled. */
  | {
      readonly type: "cancel";
      readonly task_id: string;
      readonly sent_through: string | null;
      readonly answered_call: string;
    }
  /** All of it was sent. */
  | { readonly type: "nothing" };

interface Known {
  readonly reply_id: string;
  /** Null where none was begun with this agent. */
  readonly state: RemoteConversation | null;
  /** The agent takes schemas as data. */
  readonly hasExtension: boolean;
}

export function nextMessage(
  { messages, tools }: ModelRequest,
  { reply_id, state, hasExtension }: Known,
): NextMessage {
  const current = messages.find(({ id }) => id === reply_id);
  const sent_through = state?.sent_through ?? null;
  const result = current && lastResult(current, state?.answered_call ?? null);
  if (result) return answerOf(result, sent_through);
  const others = messages.filter(({ id }) => id !== reply_id);
  const fresh = unseen(others, sent_through);
  const last = fresh.at(-1);
  const parts = messageParts(fresh);
  if (!last || parts.length === 0) return { type: "nothing" };
  const schema = tools.find(({ name }) => name === STRUCTURED_OUTPUT_TOOL)?.input_schema;
  const asked = schema ? [schemaPart(schema, hasExtension)] : [];
  const all = [...parts, ...asked];
  return { type: "send", parts: all, sent_through: last.id, answered_call: null };
}

/** The result that the agent has to hear of: an answer to what it has asked, or what is wrong with its structured output. */
function lastResult({ content }: Msg, answered: string | null): ToolResultBlock | null {
  const results = content.filter((block) => block.type === "tool_result");
  const last = results.at(-1);
  if (!last || last.id === answered) return null;
  const isMisfit = last.name === STRUCTURED_OUTPUT_TOOL && last.state !== "success";
  return last.name === REMOTE_QUESTION_TOOL || isMisfit ? last : null;
}

function answerOf(result: ToolResultBlock, sent_through: string | null): NextMessage {
  const { id: answered_call, name } = result;
  const text = textOf(result);
  if (name === STRUCTURED_OUTPUT_TOOL) {
    return { type: "send", parts: [{ text }], sent_through, answered_call };
  }
  const read = readAnswer(text);
  const parts = read && answerParts(read.asked, read.responses);
  const task_id = read?.task_id ?? "";
  return parts && parts.length > 0
    ? { type: "send", parts, task_id, sent_through, answered_call }
    : { type: "cancel", task_id, sent_through, answered_call };
}

/** The output of the platform's own tool; null for a call that was refused or interrupted. */
function readAnswer(text: string): {
  readonly task_id: string;
  readonly asked: readonly AskedQuestion[];
  readonly responses: InputResponses;
} | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  const { task_id, asked, responses } = value;
  if (typeof task_id !== "string" || !Array.isArray(asked) || !isJsonObject(responses)) return null;
  return {
    task_id,
    asked: asked as readonly AskedQuestion[],
    responses: responses as InputResponses,
  };
}

/**
 * The messages behind the one that was sent last. Without it, as in a fork: those behind the last reply. Replies of our own
 * and what stands in the place of earlier messages are none.
 */
function unseen(messages: readonly Msg[], sentThrough: string | null): readonly Msg[] {
  const sent = messages.findIndex(({ id }) => id === sentThrough);
  const begin = sent === -1 ? messages.findLastIndex(isReply) : sent;
  return messages.slice(begin + 1).filter((message) => {
    return message.role !== "system" && !isReply(message) && !isSummary(message);
  });
}

function isReply({ role, finished_reason }: Msg): boolean {
  return role === "assistant" && finished_reason !== null;
}

function isSummary({ id, name }: Msg): boolean {
  return name === "summary" && (id.startsWith("sum_") || id === "context_truncated");
}

/** As data to an agent that knows the extension, else as words. */
function schemaPart(output_schema: JsonObject, hasExtension: boolean): A2aPart {
  if (hasExtension) {
    return { data: { [A2A_EXTENSION]: { output_schema } satisfies A2aOutputSchema } };
  }
  const text = `Give your final answer as JSON alone, an object that fits this JSON Schema:\n${JSON.stringify(output_schema)}`;
  return { text };
}

function textOf({ output }: ToolResultBlock): string {
  if (typeof output === "string") return output;
  return output.map((block) => (block.type === "text" ? block.text : "")).join("");
}
