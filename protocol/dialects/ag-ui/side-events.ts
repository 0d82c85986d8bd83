// Events beside the messages.
import type { AgentEvent, EventOf } from "../../events.ts";
import type { Msg } from "../../messages/messages.ts";
import type { AgUiEvent } from "./wire/events.ts";
import { findBlock } from "./lanes/find-block.ts";

/** Replaces what the client shows under this id. */
export function activity(
  messageId: string,
  activityType: string,
  content: Readonly<Record<string, unknown>>,
): AgUiEvent {
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content };
}

/** What people and systems outside did has no event of AG-UI. */
export function logged(
  type: AgentEvent["type"],
  value: Readonly<Record<string, unknown>>,
): AgUiEvent {
  return { type: "CUSTOM", name: `agentscope.${type.toLowerCase()}`, value };
}

/** The provider's proof of a thought, when its END brings one. */
export function signature(
  { block_id, metadata }: EventOf<"THINKING_BLOCK_END">,
  message: Msg,
): readonly AgUiEvent[] {
  const { signature: encryptedValue } = metadata;
  const isSigned = typeof encryptedValue === "string" && encryptedValue !== "";
  if (!isSigned || !findBlock(message, "thinking", block_id)) return [];
  return [
    { type: "REASONING_ENCRYPTED_VALUE", subtype: "message", entityId: block_id, encryptedValue },
  ];
}
