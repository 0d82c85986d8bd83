import { STOPS_REPLY } from "../../protocol/tools/events.ts";
import type { ReplyState } from "./reply-state.ts";

/**
 * The metadata of a call's `TOOL_RESULT_END`: the tool's own and, for an input that a person edited, the model's input
 * (`original_input`); for a result that is not trusted, its source (`untrusted`); `stops_reply` of a tool that stops its reply. Only the platform sets these
 * members, `denial_reason` and `withheld`: a tool's or client's are removed.
 * @param stops Whether the tool has asked that its reply ends.
 */
export function resultMetadata(
  state: Pick<ReplyState, "original_inputs" | "untrusted_results">,
  toolCallId: string,
  {
    original_input: _input,
    denial_reason: _reason,
    withheld: _withheld,
    untrusted: _untrusted,
    [STOPS_REPLY]: _stops,
    ...metadata
  }: Readonly<Record<string, unknown>> = {},
  stops = false,
): Record<string, unknown> {
  const original_input = state.original_inputs.get(toolCallId);
  const untrusted = state.untrusted_results.get(toolCallId);
  return {
    ...metadata,
    ...(original_input !== undefined && { original_input }),
    ...(untrusted && { untrusted }),
    ...(stops && { [STOPS_REPLY]: true }),
  };
}
