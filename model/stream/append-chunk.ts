// Merges the chunks of one read: the log would merge them anyway, and a step of the loop costs more than a token.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";

export type WritableChunk = { -readonly [Key in keyof ModelChunk]: ModelChunk[Key] };

/** Appends a chunk, merged with the previous one where only their texts differ. Empty chunks are dropped. */
export function appendChunk(chunks: WritableChunk[], chunk: WritableChunk): void {
  const last = chunks.at(-1);
  const kind = kindOf(chunk);
  if (kind === "nothing") return;
  if (!last || kind === "mixed" || kindOf(last) !== kind) chunks.push(chunk);
  else if (kind === "text") last.text = `${last.text}${chunk.text}`;
  else if (kind === "thinking") last.thinking = `${last.thinking}${chunk.thinking}`;
  else last.tool_calls = mergeCalls(last.tool_calls, chunk.tool_calls);
}

/** Merges interleaved deltas by call: otherwise each would become an event of the log. */
function mergeCalls(
  before: readonly ToolCallDelta[] = [],
  more: readonly ToolCallDelta[] = [],
): readonly ToolCallDelta[] {
  const merged = [...before];
  for (const piece of more) {
    const at = merged.findLastIndex(({ index }) => index === piece.index);
    const open = merged[at];
    if (open) merged[at] = { ...piece, ...open, delta: open.delta + piece.delta };
    else merged.push(piece);
  }
  return merged;
}

function kindOf(chunk: ModelChunk): "text" | "thinking" | "calls" | "mixed" | "nothing" {
  const { text, thinking, tool_calls } = chunk;
  if (chunk.thinking_signature !== undefined || chunk.usage || chunk.data) return "mixed";
  if (chunk.ends_block || chunk.hint !== undefined) return "mixed";
  if (tool_calls) return text === undefined && thinking === undefined ? "calls" : "mixed";
  if (text === undefined) return thinking === undefined ? "nothing" : "thinking";
  return thinking === undefined ? "text" : "mixed";
}
