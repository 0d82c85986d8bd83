// Media in a tool's answer: what is too large for the log becomes a file.
import { readDataAddress } from "../../protocol/data-address.ts";
import type { MediaStore } from "../media-store.ts";
import type { ToolChunk } from "../ports.ts";
import { isLargeMedia, lostMediaNote, type MediaLoss } from "../state/made-media.ts";

export type OutputChunk = Exclude<
  ToolChunk,
  { type: "end" | "ask" | "authorization_required" | "task" }
>;

/**
 * The chunk as the log gets it: large data as the address of a file, and a note for what cannot be kept. The tool has
 * done its work, so its call does not fail for that.
 * @param isAfterText Whether the note needs a line break before it.
 */
export async function keepLargeMedia(
  chunk: OutputChunk,
  store: MediaStore,
  isAfterText: boolean,
): Promise<OutputChunk> {
  if (chunk.type === "text") return chunk;
  const { media_type } = chunk;
  if (chunk.type === "url" && store.isLink(chunk.url)) return note("link");
  if (!isLargeMedia(chunk.type === "data" ? chunk.data.length : addressCharacters(chunk.url))) {
    return chunk;
  }
  const data = chunk.type === "data" ? chunk.data : readDataAddress(chunk.url)?.data;
  if (data === undefined) return note("malformed");
  const kept = await store.keep({ media_type, data: [data] });
  return kept.ok ? { type: "url", media_type, url: kept.url } : note(kept.loss);

  function note(loss: MediaLoss): OutputChunk {
    const text = `${lostMediaNote(media_type, loss)}\n`;
    return { type: "text", delta: isAfterText ? `\n${text}` : text };
  }
}

/** Characters of a `data:` address; 0 for any other. */
function addressCharacters(url: string): number {
  return /^data:/i.test(url) ? url.length : 0;
}
