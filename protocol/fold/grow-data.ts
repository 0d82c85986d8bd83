// Joins base64 deltas in the fold: as bytes, not as text.
import { appendBase64, canonicalBase64 } from "../base64.ts";
import type { Base64Source, DataBlock, TextOrDataBlock } from "../messages/blocks.ts";
import type { EventOf } from "../events.ts";

/**
 * Sources created by the fold, known to be canonical. An optimisation only: any other source gives the same result
 * after one pass over it.
 */
const canonicalSources = new WeakSet<Base64Source>();

/** Appends data, keeping the media type of the START; a url replaces the source. */
export function growDataBlock(block: DataBlock, event: EventOf<"DATA_BLOCK_DELTA">): DataBlock {
  const { data, url, media_type } = event;
  if (url !== null) return { ...block, source: { type: "url", url, media_type } };
  if (!data || block.source.type !== "base64") return block;
  const source = growSource(block.source, data, block.source.media_type);
  return source === null || source === block.source ? block : { ...block, source };
}

/**
 * Appends data to the base64 block with this id in a tool's output, else adds a block. Returns the same array when the
 * data cannot be decoded.
 */
export function growOutputData(
  output: readonly TextOrDataBlock[],
  event: EventOf<"TOOL_RESULT_DATA_DELTA">,
): readonly TextOrDataBlock[] {
  const { block_id, media_type, data, url } = event;
  const created = { name: null, created_at: event.created_at, finished_at: null };
  if (data === null) {
    if (url === null) return output;
    const block: DataBlock = {
      type: "data",
      id: block_id,
      source: { type: "url", url, media_type },
      ...created,
    };
    return [...output, block];
  }
  const index = output.findIndex(
    (block) => block.type === "data" && block.id === block_id && block.source.type === "base64",
  );
  const block = output[index];
  if (block?.type !== "data" || block.source.type !== "base64") {
    const source = growSource({ type: "base64", data: "", media_type }, data, media_type);
    return source ? [...output, { type: "data", id: block_id, source, ...created }] : output;
  }
  const source = growSource(block.source, data, media_type);
  if (source === null || source === block.source) return output;
  return output.map((other, position) => (position === index ? { ...block, source } : other));
}

/** Null when the old or the new data cannot be decoded; the same source when nothing changes. */
function growSource(
  source: Base64Source,
  incoming: string,
  media_type: string,
): Base64Source | null {
  const existing = canonicalSources.has(source) ? source.data : canonicalBase64(source.data);
  const data = existing === null ? null : appendBase64(existing, incoming);
  if (data === null) return null;
  if (data === source.data && media_type === source.media_type) return source;
  const grown: Base64Source = { type: "base64", data, media_type };
  canonicalSources.add(grown);
  return grown;
}
