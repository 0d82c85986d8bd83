import type { ReplyState } from "./reply-state.ts";

/**
 * The metadata of a call's `TOOL_RESULT_END`: what the tool gave and, when a person had edited the input, what the
 * model had written (`original_input`). That member is ours: neither a tool nor a client can claim an edit.
 */
export function resultMetadata(
  state: Pick<ReplyState, "original_inputs">,
  toolCallId: string,
  { original_input: _claimed, ...metadata }: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const original_input = state.original_inputs.get(toolCallId);
  return original_input === undefined ? metadata : { ...metadata, original_input };
}
