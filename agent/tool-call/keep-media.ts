// Media in a tool's answer: its base64 is put right, and what is too large for the log becomes a file.
import { readDataAddress } from "../../protocol/data-address.ts";
import { putRight } from "../../protocol/put-right.ts";
import type { MediaStore } from "../media-store.ts";
import type { ToolChunk } from "../ports.ts";
import { isLargeMedia, lostMediaNote, type MediaLoss } from "../state/made-media.ts";

export type OutputChunk = Exclude<
  ToolChunk,
  {
    type:
      | "end"
      | "ask"
      | "authorization_required"
      | "task"
      | "subagent"
      | "background"
      | "progress"
      | "told";
  }
>;

type MediaChunk = Extract<OutputChunk, { type: "data" | "url" }>;

/**
 * The chunk as the log gets it: canonical base64, large data as the address of a file, and a note for what cannot be
 * read or kept. The tool has done its work, so its call does not fail for that.
 * @param store Left out where media of any size stays in the log.
 * @param isAfterText Whether the note needs a line break before it.
 */
export async function keepMedia(
  chunk: OutputChunk,
  store: MediaStore | undefined,
  isAfterText: boolean,
): Promise<OutputChunk> {
  if (chunk.type === "text") return chunk;
  const { media_type } = chunk;
  if (chunk.type === "url" && store?.isLink(chunk.url)) return note("link");
  const right = rightChunk(chunk);
  if (!right) return note("malformed");
  if (!store || !isLargeMedia(charactersOf(right))) return right;
  const data = right.type === "data" ? right.data : readDataAddress(right.url)?.data;
  if (data === undefined) return note("malformed");
  const kept = await store.keep({ media_type, data: [data] });
  return kept.ok ? { type: "url", media_type, url: kept.url } : note(kept.loss);

  function note(loss: MediaLoss): OutputChunk {
    const text = `${lostMediaNote(media_type, loss)}\n`;
    return { type: "text", delta: isAfterText ? `\n${text}` : text };
  }
}

/** Null for base64 that cannot be read. */
function rightChunk(chunk: MediaChunk): MediaChunk | null {
  const { media_type } = chunk;
  if (chunk.type === "data") {
    const source = putRight({ type: "base64", media_type, data: chunk.data });
    return source && { ...chunk, data: source.data };
  }
  const source = putRight({ type: "url", media_type, url: chunk.url });
  return source && { ...chunk, url: source.url };
}

/** The characters of its data; 0 for an address that leads elsewhere. */
function charactersOf(chunk: MediaChunk): number {
  if (chunk.type === "data") return chunk.data.length;
  return /^data:/i.test(chunk.url) ? chunk.url.length : 0;
}
