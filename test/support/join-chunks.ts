// What a model said, however its connection was cut into reads.
import type { ModelChunk } from "../../agent/ports.ts";

/** Neighbours that bring nothing but text, or nothing but thinking, as one chunk. */
export function joinChunks(chunks: readonly ModelChunk[]): ModelChunk[] {
  const joined: ModelChunk[] = [];
  for (const chunk of chunks) {
    const last = joined.at(-1);
    const [key, ...others] = Object.keys(chunk);
    const isSame = last && others.length === 0 && String(Object.keys(last)) === key;
    if (isSame && key === "text") joined.splice(-1, 1, { text: `${last.text}${chunk.text}` });
    else if (isSame && key === "thinking") {
      joined.splice(-1, 1, { thinking: `${last.thinking}${chunk.thinking}` });
    } else joined.push(chunk);
  }
  return joined;
}
