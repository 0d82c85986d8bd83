// The artifacts of a task: what its reply has said, and its structured output. Thoughts, calls and their results stay inside.
import type { A2aArtifact, A2aPart } from "../../a2a/wire.ts";
import type { ContentBlock, DataBlock } from "../../messages/blocks.ts";
import type { Msg } from "../../messages/messages.ts";
import { omittedOf } from "../../messages/omitted.ts";
import { MAX_A2A_FRAME_CHARACTERS, MAX_A2A_TEXT_CHARACTERS } from "./limits.ts";

/** The id of the artifact of structured output. No block has it: theirs are the platform's. */
const STRUCTURED_OUTPUT_ID = "structured_output";

/** In place of all artifacts. */
const OMITTED_ID = "omitted";

const TOO_LARGE = "[This output is too large for a message of A2A.]";

/** The artifacts of a message, in its order. */
export function artifactsOf(message: Msg): readonly A2aArtifact[] {
  const { content, structured_output } = message;
  // A message that is too large for an answer comes without its content.
  if (omittedOf(message)) return [{ artifactId: OMITTED_ID, parts: [{ text: TOO_LARGE }] }];
  const known = new Set<string>();
  const said = content.flatMap((block) => {
    if (block.type !== "text" && block.type !== "data") return [];
    // Of two blocks with one id the second one is never visible.
    if (known.has(block.id)) return [];
    known.add(block.id);
    return artifactOf(block) ?? [];
  });
  return structured_output === null ? said : [...said, structuredArtifact(structured_output)];
}

/** The artifact of a block; null for one that is no output, and while there is nothing of it to show. */
export function artifactOf(block: ContentBlock): A2aArtifact | null {
  if (block.type === "text") {
    return block.text === "" ? null : { artifactId: block.id, parts: [{ text: block.text }] };
  }
  // Bytes cannot be appended to a part: the block is shown when it is complete.
  if (block.type !== "data" || block.finished_at === null) return null;
  const { id: artifactId, name } = block;
  return { artifactId, ...(name !== null && { name }), parts: [mediaPart(block)] };
}

export function structuredArtifact(output: Readonly<Record<string, unknown>>): A2aArtifact {
  const part: A2aPart = { data: output, mediaType: "application/json" };
  const isLarge = JSON.stringify(output).length > MAX_A2A_FRAME_CHARACTERS;
  return { artifactId: STRUCTURED_OUTPUT_ID, parts: [isLarge ? { text: TOO_LARGE } : part] };
}

/** Media as a part: a link, or the bytes of what is small enough for the log. */
export function mediaPart({ source, name }: Pick<DataBlock, "source" | "name">): A2aPart {
  const described = { mediaType: source.media_type, ...(name !== null && { filename: name }) };
  if (source.type === "url") return { url: source.url, ...described };
  const isLarge = source.data.length > MAX_A2A_FRAME_CHARACTERS;
  return isLarge ? { text: TOO_LARGE } : { raw: source.data, ...described };
}

/** The text in pieces that each fit into a frame; a character is never cut in two. */
export function textPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = Math.min(start + MAX_A2A_TEXT_CHARACTERS, text.length);
    const isCut = end < text.length && isHighSurrogate(text.charCodeAt(end - 1));
    const next = isCut ? end - 1 : end;
    pieces.push(text.slice(start, next));
    start = next;
  }
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}
