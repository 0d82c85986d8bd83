// Turns what an agent says of its task into the pieces of a call's result. Artifacts may come in pieces, again as a whole,
// or changed; the result only grows, so that what it has is compared with what is there now.
import { readBase64 } from "../../protocol/read-base64.ts";
import { findMediaTypeProblem } from "../../protocol/files/media-blocks.ts";
import { MAX_REMOTE_ARTIFACTS } from "../../protocol/a2a/client-limits.ts";
import { extensionData } from "../../protocol/a2a/extension.ts";
import type { A2aArtifact, A2aArtifactUpdate, A2aPart, A2aTask } from "../../protocol/a2a/wire.ts";
import type { DataBlock, TextBlock } from "../../protocol/messages/blocks.ts";
import type { ToolChunk } from "../tool-chunk.ts";

/** The output of a result so far. */
export type WrittenOutput = readonly (
  | Pick<TextBlock, "type" | "text">
  | Pick<DataBlock, "type" | "id">
)[];

interface Media {
  readonly block_id: string;
  readonly media_type: string;
  readonly data: string;
}

/** A text, or media, of an artifact. Text comes in many small pieces, which are put together when they are compared. */
class Piece {
  readonly media: Media | null;
  #texts: string[] = [];
  #length = 0;
  /** The end of the text that the result does not have. */
  unsent = "";

  constructor(media: Media | null) {
    this.media = media;
  }

  get text(): string {
    if (this.#texts.length > 1) this.#texts = [this.#texts.join("")];
    return this.#texts[0] ?? "";
  }

  /** Characters that the result has. */
  get sent(): number {
    return this.#length - this.unsent.length;
  }

  add(text: string): void {
    this.#texts.push(text);
    this.#length += text.length;
    this.unsent += text;
  }

  noteSent(characters: number): void {
    this.unsent = this.text.slice(characters);
  }
}

interface Kept {
  readonly index: number;
  readonly name: string;
  pieces: Piece[];
  /** Pieces that the result has as a whole. */
  pieceCount: number;
  /** Another content stands in the result under this artifact. */
  isRevised: boolean;
  /** Times that its content was changed. */
  revision: number;
}

type Chunk = Extract<ToolChunk, { type: "text" | "data" }>;

export class ResultWriter {
  readonly #callId: string;
  readonly #artifacts = new Map<string, Kept>();
  /** The artifact whose text the result ends with. */
  #open: Kept | null = null;
  #hasOutput: boolean;
  readonly #writtenText: string;
  readonly #writtenMedia: Set<string>;
  #isCompared = false;

  /** @param written By an earlier execution of the call. */
  constructor(callId: string, written: WrittenOutput = []) {
    this.#callId = callId;
    this.#writtenText = written.map((block) => (block.type === "text" ? block.text : "")).join("");
    this.#writtenMedia = new Set(
      written.flatMap((block) => (block.type === "data" ? [block.id] : [])),
    );
    this.#hasOutput = this.#writtenText !== "";
  }

  /** Whether there is anything of the agent's in the result. */
  get isEmpty(): boolean {
    return !this.#hasOutput && this.#writtenMedia.size === 0;
  }

  /** The artifacts as they are. */
  task({ artifacts = [] }: Pick<A2aTask, "artifacts">): readonly Chunk[] {
    for (const artifact of artifacts) this.#replace(artifact);
    this.#skipWritten();
    return this.#grow();
  }

  update({ artifact, append }: A2aArtifactUpdate): readonly Chunk[] {
    const known = this.#artifacts.get(artifact.artifactId);
    if (append === true && known) this.#add(known, artifact.parts);
    else this.#replace(artifact);
    this.#skipWritten();
    return this.#grow();
  }

  /** The parts of a message that is the answer itself. */
  message(parts: readonly A2aPart[]): readonly Chunk[] {
    this.#replace({ artifactId: "", parts });
    this.#skipWritten();
    return this.#grow();
  }

  /** All that was held back: parts of artifacts behind which others had begun, and those that were changed. */
  end(): readonly Chunk[] {
    return [...this.#artifacts.values()].flatMap((kept) => this.#rest(kept));
  }

  #replace({ artifactId, name = "", parts }: A2aArtifact): void {
    const known = this.#artifacts.get(artifactId);
    if (!known && this.#artifacts.size >= MAX_REMOTE_ARTIFACTS) return;
    const kept = known ?? this.#keep(artifactId, name);
    const before = kept.pieces;
    kept.pieces = [];
    this.#add(kept, parts);
    if (!known) return;
    if (isBeginningOf(before, kept.pieces)) {
      for (const [index, piece] of before.entries()) kept.pieces[index]?.noteSent(piece.sent);
      return;
    }
    if (kept.pieceCount > 0 || before.some(({ sent }) => sent > 0)) kept.isRevised = true;
    kept.pieceCount = 0;
    kept.revision += 1;
    kept.pieces = [];
    this.#add(kept, parts);
  }

  #keep(artifactId: string, name: string): Kept {
    const counts = { pieceCount: 0, isRevised: false, revision: 0 };
    const kept: Kept = { index: this.#artifacts.size, name, pieces: [], ...counts };
    this.#artifacts.set(artifactId, kept);
    return kept;
  }

  #add(kept: Kept, parts: readonly A2aPart[]): void {
    const { index, revision } = kept;
    for (const part of parts) {
      const last = kept.pieces.at(-1);
      const id = `${this.#callId}_a2a_${index}_${kept.pieces.length}`;
      const media = mediaOf(part, revision === 0 ? id : `${id}_${revision}`);
      if (media) kept.pieces.push(new Piece(media));
      else if (last && !last.media) last.add(textOf(part, last.sent > 0 || last.unsent !== ""));
      else {
        const piece = new Piece(null);
        piece.add(textOf(part, false));
        kept.pieces.push(piece);
      }
    }
  }

  /** Once: what an earlier execution has written is not written again. */
  #skipWritten(): void {
    if (this.#isCompared || this.#artifacts.size === 0) return;
    this.#isCompared = true;
    let left = this.#writtenText;
    for (const kept of this.#artifacts.values()) {
      for (const [index, piece] of kept.pieces.entries()) {
        if (piece.media) {
          if (!this.#writtenMedia.has(piece.media.block_id)) continue;
          kept.pieceCount = index + 1;
          continue;
        }
        if (index === 0 && this.#open && left.startsWith(SEPARATOR)) {
          left = left.slice(SEPARATOR.length);
        }
        const { text } = piece;
        const isWhole = left.startsWith(text);
        // Text that is another one was written before the artifact was changed: all of it is told again.
        if (left === "" || (!isWhole && !text.startsWith(left))) return;
        kept.pieceCount = index;
        piece.noteSent(isWhole ? text.length : left.length);
        this.#open = kept;
        left = left.slice(text.length);
      }
    }
  }

  /** The news of the artifact that the result ends with, and of those that have not begun. */
  #grow(): readonly Chunk[] {
    return [...this.#artifacts.values()].flatMap((kept) => {
      const hasBegun = kept.pieceCount > 0 || (kept.pieces[0]?.sent ?? 0) > 0;
      const isHeld = kept.isRevised || (hasBegun && this.#open !== kept);
      return isHeld ? [] : this.#rest(kept);
    });
  }

  #rest(kept: Kept): readonly Chunk[] {
    const chunks: Chunk[] = [];
    for (let index = kept.pieceCount; index < kept.pieces.length; index += 1) {
      const piece = kept.pieces[index];
      if (!piece) break;
      const isLast = index === kept.pieces.length - 1;
      if (piece.media) {
        if (!this.#writtenMedia.has(piece.media.block_id)) {
          chunks.push({ type: "data", ...piece.media });
          this.#writtenMedia.add(piece.media.block_id);
        }
        kept.pieceCount = index + 1;
        continue;
      }
      const delta = piece.unsent;
      piece.unsent = "";
      if (delta !== "") {
        chunks.push({ type: "text", delta: `${this.#before(kept)}${delta}` });
        this.#open = kept;
        this.#hasOutput = true;
      }
      // The last text may go on.
      kept.pieceCount = isLast ? index : index + 1;
    }
    return chunks;
  }

  #before(kept: Kept): string {
    if (this.#open === kept && !kept.isRevised) return "";
    const separator = this.#hasOutput ? SEPARATOR : "";
    if (!kept.isRevised) return separator;
    kept.isRevised = false;
    return `${separator}[changed by the agent: ${JSON.stringify(kept.name.slice(0, 100))}]\n`;
  }
}

const SEPARATOR = "\n\n";

/** Whether the second content is the first one, as far as that goes. */
function isBeginningOf(before: readonly Piece[], after: readonly Piece[]): boolean {
  return before.every(({ text, media }, index) => {
    const now = after[index];
    if (!now || (media === null) !== (now.media === null)) return false;
    return media ? media.data === now.media?.data : now.text.startsWith(text);
  });
}

/** Bytes that are media; null for all that is told as text. */
function mediaOf({ raw, mediaType = "" }: A2aPart, block_id: string): Media | null {
  if (raw === undefined) return null;
  const data = readBase64(raw);
  return data && findMediaTypeProblem(mediaType) === null
    ? { block_id, media_type: mediaType, data }
    : null;
}

/** A link is told and never followed: what it leads to is the agent's to give. */
function textOf(part: A2aPart, isAfterText: boolean): string {
  const { text, raw, url, data, mediaType, filename } = part;
  if (text !== undefined) return text;
  const line = isAfterText ? "\n" : "";
  const named = [filename, mediaType].filter((one) => one).join(", ");
  if (url !== undefined) return `${line}[file ${quote(url)}${named && `: ${quote(named)}`}]\n`;
  if (raw !== undefined)
    return `${line}[left out: bytes of type ${quote(mediaType ?? "unknown")}]\n`;
  // Questions are for people, who are shown them.
  if (data === undefined || extensionData(part) !== undefined) return "";
  return `${line}${JSON.stringify(data)}\n`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 2_000));
}
