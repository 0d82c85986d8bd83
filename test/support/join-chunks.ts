// The words of a model, however its connection was cut into reads.
import type { ModelChunk, ToolCallDelta } from "../../agent/ports.ts";

/** Neighbours that bring nothing but text, nothing but thinking or nothing but calls, as one chunk. */
export function joinChunks(chunks: readonly ModelChunk[]): ModelChunk[] {
  const joined: ModelChunk[] = [];
  for (const chunk of chunks) {
    const last = joined.at(-1);
    const [key, ...others] = Object.keys(chunk);
    const isSame = last && others.length === 0 && String(Object.keys(last)) === key;
    if (isSame && key === "text") joined.splice(-1, 1, { text: `${last.text}${chunk.text}` });
    else if (isSame && key === "thinking") {
      joined.splice(-1, 1, { thinking: `${last.thinking}${chunk.thinking}` });
    } else if (isSame && key === "tool_calls") {
      joined.splice(-1, 1, { tool_calls: joinCalls([...last.tool_calls!, ...chunk.tool_calls!]) });
    } else joined.push(chunk);
  }
  return joined;
}

function joinCalls(pieces: readonly ToolCallDelta[]): ToolCallDelta[] {
  const calls = new Map<number, ToolCallDelta>();
  for (const piece of pieces) {
    const call = calls.get(piece.index);
    calls.set(piece.index, { ...piece, ...call, delta: `${call?.delta ?? ""}${piece.delta}` });
  }
  return [...calls.values()];
}
