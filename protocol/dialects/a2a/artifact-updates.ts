// Changes of a task's artifacts: text is appended while it comes; what a retried call or a hook changes is sent anew.
import { A2A_EXTENSION } from "../../a2a/extension.ts";
import type { A2aArtifact } from "../../a2a/wire.ts";
import type { ContentBlock } from "../../messages/blocks.ts";
import type { Msg } from "../../messages/messages.ts";
import { artifactOf, structuredArtifact, textPieces } from "./artifacts.ts";

export interface ArtifactChange {
  readonly artifact: A2aArtifact;
  /** False for the first piece, and for one in place of all that was sent. */
  readonly append: boolean;
  readonly lastChunk?: true;
}

export class ArtifactUpdates {
  /** Text blocks that have begun. */
  readonly #texts = new Set<string>();
  /** Artifacts of which something was sent. */
  readonly #sent = new Set<string>();

  beginText(id: string): void {
    this.#texts.add(id);
  }

  appendText(id: string, delta: string): readonly ArtifactChange[] {
    if (!this.#texts.has(id)) return [];
    return textPieces(delta).map((text) => {
      const append = this.#sent.has(id);
      this.#sent.add(id);
      return { artifact: { artifactId: id, parts: [{ text }] }, append };
    });
  }

  /** The changes by an event that is no delta. */
  compare(before: Msg, after: Msg): readonly ArtifactChange[] {
    if (before === after) return [];
    const changed = changedBlocks(before, after).flatMap(([one, other]) =>
      this.#change(one, other),
    );
    const { structured_output: output } = after;
    if (output === null || output === before.structured_output) return changed;
    const artifact = structuredArtifact(output);
    return [...changed, { artifact, append: false, lastChunk: true }];
  }

  #change(before: ContentBlock | null, after: ContentBlock | null): readonly ArtifactChange[] {
    const { id } = (after ?? before) as ContentBlock;
    const artifact = after && artifactOf(after);
    if (!artifact) return this.#discard(id);
    if (after.type !== "text") return this.#send([artifact], true);
    const isEnd = after.finished_at !== null;
    if (before?.type === "text" && before.text === after.text) {
      return isEnd && before.finished_at === null ? [closing(id)] : [];
    }
    const pieces = textPieces(after.text).map((text) => ({ artifactId: id, parts: [{ text }] }));
    return this.#send(pieces, isEnd);
  }

  /** Sent anew, in place of what was sent before. */
  #send(pieces: readonly A2aArtifact[], isEnd: boolean): readonly ArtifactChange[] {
    return pieces.map((artifact, index) => {
      this.#sent.add(artifact.artifactId);
      const isLast = isEnd && index === pieces.length - 1;
      return { artifact, append: index > 0, ...(isLast && { lastChunk: true }) };
    });
  }

  /** The protocol cannot take an artifact back: it is emptied, and says so. */
  #discard(id: string): readonly ArtifactChange[] {
    if (!this.#sent.delete(id)) return [];
    const metadata = { [A2A_EXTENSION]: { discarded: true } };
    const artifact = { artifactId: id, parts: [{ text: "" }], metadata };
    return [{ artifact, append: false, lastChunk: true }];
  }
}

/** The end of a text: an artifact has a part at least. */
function closing(artifactId: string): ArtifactChange {
  return { artifact: { artifactId, parts: [{ text: "" }] }, append: true, lastChunk: true };
}

type BlockChange = readonly [before: ContentBlock | null, after: ContentBlock | null];

/** Texts and data that one message has otherwise than the other, by their first blocks; unchanged blocks are shared. */
function changedBlocks(before: Msg, after: Msg): readonly BlockChange[] {
  if (before.content === after.content) return [];
  const [were, are] = [shownBlocks(before), shownBlocks(after)];
  const gone = [...were]
    .filter(([key]) => !are.has(key))
    .map(([, block]) => [block, null] as const);
  const changed = [...are].flatMap(([key, block]): readonly BlockChange[] => {
    const was = were.get(key) ?? null;
    return was === block ? [] : [[was, block]];
  });
  return [...gone, ...changed];
}

function shownBlocks({ content }: Msg): ReadonlyMap<string, ContentBlock> {
  const blocks = new Map<string, ContentBlock>();
  for (const block of content) {
    const key = `${block.type}:${block.id}`;
    const isShown = block.type === "text" || block.type === "data";
    if (isShown && !blocks.has(key)) blocks.set(key, block);
  }
  return blocks;
}
