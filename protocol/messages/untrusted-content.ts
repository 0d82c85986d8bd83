// Results with untrusted content, on the wire.

/** The name of the state in snapshots, and in `middle_context` of an AgentState. */
export const UNTRUSTED_CONTENT = "untrusted_content";

/**
 * The call that brought untrusted content in: `metadata.untrusted` of its `TOOL_RESULT_START` and END. Of a result that
 * repeats an earlier one, it is the earlier call.
 */
export interface UntrustedSource {
  readonly tool_name: string;
  readonly tool_call_id: string;
}

/** The source that the metadata of a result names; null for a trusted result. */
export function untrustedSourceOf(metadata: unknown): UntrustedSource | null {
  const source = memberOf(metadata, "untrusted");
  const [tool_name, tool_call_id] = [
    memberOf(source, "tool_name"),
    memberOf(source, "tool_call_id"),
  ];
  if (typeof tool_name !== "string" || typeof tool_call_id !== "string") return null;
  return { tool_name, tool_call_id };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
