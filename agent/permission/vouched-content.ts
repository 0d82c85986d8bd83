import type { AgentStateInput } from "../../protocol/sessions/session-state.ts";
import { importedContent, readUntrusted } from "./untrusted-content.ts";

/** Content that an imported state vouches for: results of tools, by their calls, and its summary, that would be untrusted. */
export interface VouchedContent {
  readonly results: readonly string[];
  readonly summary: boolean;
}

/** Null for a state that vouches for nothing: without word of its own, all that tools have said is untrusted. */
export function vouchedContent({
  middle_context,
  context,
  summary,
}: Pick<AgentStateInput, "middle_context" | "context" | "summary">): VouchedContent | null {
  const said = readUntrusted(middle_context);
  if (said === null) return null;
  const named = new Set(said.results.map(({ tool_call_id }) => tool_call_id));
  const results = importedContent(context, "")
    .results.map(({ tool_call_id }) => tool_call_id)
    .filter((id) => !named.has(id));
  const isSummaryNamed = said.results.some(({ place }) => place === "summary");
  const vouched = { results, summary: hasText(summary) && !isSummaryNamed };
  return results.length > 0 || vouched.summary ? vouched : null;
}

function hasText(summary: AgentStateInput["summary"]): boolean {
  if (typeof summary === "string") return summary !== "";
  return summary.some((block) => block.type === "text" && block.text !== "");
}
