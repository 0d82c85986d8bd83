// A result as a message of AG-UI's. Where the client wrote that message itself, it is the same one.
import type { TextOrDataBlock, ToolResultBlock } from "../../../messages/blocks.ts";
import { toContentPart, type AgUiContentPart } from "./to-content-part.ts";

/** In the metadata of a result that a client gave as a message: that message's id. */
const MESSAGE_ID = "ag_ui_message_id";

type GivenResult = Pick<ToolResultBlock, "id" | "output" | "state" | "metadata">;

export interface AgUiToolMessage {
  readonly id: string;
  readonly role: "tool";
  readonly toolCallId: string;
  readonly content: string | readonly AgUiContentPart[];
  /** Only of a message that a client wrote. */
  readonly error?: string;
  /** Of all others. */
  readonly metadata?: { readonly agentscope: { readonly state: string } };
}

/** As a result's metadata. */
export function clientMessageMetadata(messageId: string): Readonly<Record<string, unknown>> {
  return { [MESSAGE_ID]: messageId };
}

/** Metadata of anybody else: only a run says that its client holds the result as a message. */
export function withoutClientMessageId(
  metadata: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { [MESSAGE_ID]: _, ...rest } = metadata;
  return rest;
}

/** Null when no client holds a message of its own for this result. */
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

/** Text as a string where it is nothing but text. */
function resultContent(
  output: string | readonly TextOrDataBlock[],
): string | readonly AgUiContentPart[] {
  if (typeof output === "string") return output;
  return output.every((block) => block.type === "text")
    ? output.map(({ text }) => text).join("\n")
    : output.map(toContentPart);
}
