import {
  TOOL_GROUPS_CHANGED,
  type ToolGroupsChangedValue,
} from "../../protocol/tool-groups/events.ts";
import type { AgentEvent } from "../../protocol/events.ts";

/** The change that an event of the log is; null for every other event. */
export function toolGroupsChangeOf(event: AgentEvent): ToolGroupsChangedValue | null {
  if (event.type !== "CUSTOM" || event.name !== TOOL_GROUPS_CHANGED) return null;
  // The platform alone writes this event, so its shape is known.
  return event.value as unknown as ToolGroupsChangedValue;
}
