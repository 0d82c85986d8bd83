// Progress that the open calls of a reply have told, as a fold of its events. The model reads it where a call ends
// without a result, and nowhere else.
import { describeProgress, TOOL_PROGRESS, toolProgressOf } from "../../protocol/tools/events.ts";
import type { AgentEvent } from "../../protocol/events.ts";
import { MAX_PROGRESS_READ_CHARACTERS } from "../../protocol/tools/limits.ts";

/** By call id, the end of the text. */
export type ProgressRecord = ReadonlyMap<string, string>;

export const NO_PROGRESS: ProgressRecord = new Map();

export function advanceProgress(before: ProgressRecord, event: AgentEvent): ProgressRecord {
  if (event.type === "TOOL_RESULT_END" && before.has(event.tool_call_id)) {
    return new Map([...before].filter(([id]) => id !== event.tool_call_id));
  }
  if (event.type !== "CUSTOM" || event.name !== TOOL_PROGRESS) return before;
  const said = toolProgressOf(event.value);
  const line = said ? describeProgress(said) : "";
  if (!said || line === "") return before;
  const earlier = before.get(said.tool_call_id);
  const text = earlier === undefined ? line : `${earlier}\n${line}`;
  return new Map(before).set(said.tool_call_id, endOf(text));
}

/** The text of a call that ended without a result, with what it had said until then. */
export function withProgress(
  { progress }: { readonly progress: ProgressRecord },
  toolCallId: string,
  text: string,
): string {
  const said = progress.get(toolCallId);
  return said === undefined ? text : `${text}\n\nIts progress until then:\n${said}`;
}

function endOf(text: string): string {
  if (text.length <= MAX_PROGRESS_READ_CHARACTERS) return text;
  // No half of a character.
  return text.slice(-MAX_PROGRESS_READ_CHARACTERS).replace(/^[\udc00-\udfff]/, "");
}
