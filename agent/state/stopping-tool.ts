import type { EventOf } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { STOPS_REPLY } from "../../protocol/tools/events.ts";

/** The name of the tool whose result asks that the reply ends; null where it does not. */
export function stoppingTool(
  { content }: Msg,
  { tool_call_id, metadata }: EventOf<"TOOL_RESULT_END">,
): string | null {
  if (metadata[STOPS_REPLY] !== true) return null;
  const result = content.find(({ type, id }) => type === "tool_result" && id === tool_call_id);
  return result?.type === "tool_result" ? result.name : null;
}
