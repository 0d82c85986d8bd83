// The table of the forms in which stored messages, replies and waiting calls can be read.
import type { Confirmation } from "../confirmations/contract.ts";
import type { ToolCallBlock } from "../messages/blocks.ts";
import type { Msg } from "../messages/messages.ts";
import type { PendingCall, Reply } from "../replies/contract.ts";
import type { JsonObject } from "../json-object.ts";
import { LOG_FORMAT, type MessageFormat } from "./dialects.ts";
import { type GenerateReason, waitingReasonOf } from "./generate-reason.ts";
import { toAgentScope1Call, toAgentScope1Message } from "./to-agentscope-1.ts";
import { toToolUse } from "./to-agentscope-java-block.ts";
import { toStoredJavaMessage } from "./to-agentscope-java-message.ts";

/** A form of messages and calls. Pure. */
export interface MessageForm {
  /** @param waiting The reason for which the message's reply waits; null for one that does not. */
  readonly message: (message: Msg, waiting: GenerateReason | null) => JsonObject;
  readonly call: (call: ToolCallBlock) => JsonObject;
}

type Translated = Exclude<MessageFormat, typeof LOG_FORMAT>;

const MESSAGE_FORMS: Readonly<Record<Translated, MessageForm>> = {
  "agentscope-1": { message: toAgentScope1Message, call: toAgentScope1Call },
  "agentscope-java": { message: toStoredJavaMessage, call: toToolUse },
};

/** Null for the log's own form, in which answers are sent as they are stored. */
export function formOf(format: MessageFormat): MessageForm | null {
  return format === LOG_FORMAT ? null : MESSAGE_FORMS[format];
}

/** The reply with its message and calls in a form. */
export function replyInForm(reply: Reply, form: MessageForm | null): JsonObject | Reply {
  if (!form) return reply;
  const { message, pending, subagents, status } = reply;
  return {
    ...reply,
    message: message && form.message(message, waitingReasonOf(status)),
    pending: pending.map((call) => callInForm(call, form)),
    ...(subagents && {
      subagents: subagents.map(({ pending: below, ...agent }) => ({
        ...agent,
        ...(below && { pending: below.map((call) => callInForm(call, form)) }),
      })),
    }),
  };
}

/** The waiting call in a form. One that is too large for a list has none. */
export function callInForm(
  call: PendingCall | Confirmation,
  form: MessageForm | null,
): JsonObject | PendingCall | Confirmation {
  return form ? { ...call, tool_call: call.tool_call && form.call(call.tool_call) } : call;
}
