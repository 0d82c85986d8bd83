// Converts a tool result to an AG-UI message. A result that the client sent as a message keeps that message's id.
import type { TextOrDataBlock, ToolResultBlock } from "../../../messages/blocks.ts";
import { toContentPart, type AgUiContentPart } from "./to-content-part.ts";

/** Metadata key of a result that a client sent as a message: the message's id. */
const MESSAGE_ID = "ag_ui_message_id";

type GivenResult = Pick<ToolResultBlock, "id" | "output" | "state" | "metadata">;

export interface AgUiToolMessage {
  readonly id: string;
  readonly role: "tool";
  readonly toolCallId: string;
  readonly content: string | readonly AgUiContentPart[];
  /** Set only on messages that a client wrote. */
  readonly error?: string;
  /** Set on all others. */
  readonly metadata?: { readonly agentscope: { readonly state: string } };
  /** The lane of the called agent whose call it answers. */
  readonly subagentRunId?: string;
}

/** The metadata for a result that a client sent as a message. */
export function clientMessageMetadata(messageId: string): Readonly<Record<string, unknown>> {
  return { [MESSAGE_ID]: messageId };
}

/** Metadata from other sources without the key, which only AG-UI runs may set. */
export function withoutClientMessageId(
  metadata: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { [MESSAGE_ID]: _, ...rest } = metadata;
  return rest;
}

/** Null when no client sent this result as a message. */
export function clientMessageId({ metadata }: Pick<ToolResultBlock, "metadata">): string | null {
  const id = metadata[MESSAGE_ID];
  return typeof id === "string" && id !== "" ? id : null;
}

export function resultMessage(replyId: string, result: GivenResult): AgUiToolMessage {
  const { id: toolCallId, state } = result;
  const content = resultContent(result.output);
  const id = clientMessageId(result);
  if (id === null) {
    const metadata = { agentscope: { state } };
    return { id: `${replyId}:${toolCallId}`, role: "tool", toolCallId, content, metadata };
  }
  const error = typeof content === "string" && content !== "" ? content : "The tool failed.";
  return { id, role: "tool", toolCallId, content, ...(state !== "success" && { error }) };
}

/** A string when the output is text only. */
function resultContent(
  output: string | readonly TextOrDataBlock[],
): string | readonly AgUiContentPart[] {
  if (typeof output === "string") return output;
  return output.every((block) => block.type === "text")
    ? output.map(({ text }) => text).join("\n")
    : output.map(toContentPart);
}
