// Chunks of words alone; no words are no chunk.
import type { WritableChunk } from "./append-chunk.ts";

export function textChunk(text: string): WritableChunk[] {
  return text === "" ? [] : [{ text }];
}

export function thinkingChunk(thinking: string): WritableChunk[] {
  return thinking === "" ? [] : [{ thinking }];
}
