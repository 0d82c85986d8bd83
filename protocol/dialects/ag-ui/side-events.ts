// AG-UI events other than messages: activities, log entries, reasoning signatures.
import type { AgentEvent, EventOf } from "../../events.ts";
import type { Msg } from "../../messages/messages.ts";
import type { AgUiEvent } from "./wire/events.ts";
import { appActivity } from "./wire/app-activity.ts";
import { findBlock } from "./lanes/find-block.ts";

/** Replaces the client's activity with this id. */
export function activity(
  messageId: string,
  activityType: string,
  content: Readonly<Record<string, unknown>>,
): AgUiEvent {
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content };
}

/** The page of a result; nothing for a result without one. */
export function shownApp(
  ...[replyId, result, content]: Parameters<typeof appActivity>
): AgUiEvent[] {
  const app = appActivity(replyId, result, content);
  return app ? [activity(app.id, app.activityType, app.content)] : [];
}

/** Answers and interrupts have no AG-UI event, so they are sent as `CUSTOM`. */
export function logged(
  type: AgentEvent["type"],
  value: Readonly<Record<string, unknown>>,
): AgUiEvent {
  return { type: "CUSTOM", name: `agentscope.${type.toLowerCase()}`, value };
}

/** The provider's signature of a thought or a call, when its END carries one. */
export function signature(
  { metadata, ...event }: EventOf<"THINKING_BLOCK_END" | "TOOL_CALL_END">,
  message: Msg,
): readonly AgUiEvent[] {
  const { signature: encryptedValue } = metadata;
  if (typeof encryptedValue !== "string" || encryptedValue === "") return [];
  const isOfCall = event.type === "TOOL_CALL_END";
  const entityId = isOfCall ? event.tool_call_id : event.block_id;
  if (!findBlock(message, isOfCall ? "tool_call" : "thinking", entityId)) return [];
  const subtype = isOfCall ? "tool-call" : "message";
  return [{ type: "REASONING_ENCRYPTED_VALUE", subtype, entityId, encryptedValue }];
}
