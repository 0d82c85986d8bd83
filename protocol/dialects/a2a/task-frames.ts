// The task with which a stream begins, within the bound of frames: artifacts that do not fit come as updates behind it.
import { A2A_EXTENSION } from "../../a2a/extension.ts";
import type { A2aArtifact, A2aMetadata, A2aStreamResponse, A2aTask } from "../../a2a/wire.ts";
import { placeMetadata } from "./a2a-translator.ts";
import type { ArtifactChange } from "./artifact-updates.ts";
import { textPieces } from "./artifacts.ts";
import { MAX_A2A_FRAME_CHARACTERS } from "./limits.ts";

interface ShownTask {
  readonly task: A2aTask;
  /** The position up to which the task is complete; null for one that has not begun. */
  readonly place: { readonly seq: number; readonly k: number | null } | null;
  /** Frames that its reader holds are partly lost: the task is in place of all of it. */
  readonly isReset?: boolean;
  /** Whether more may be said in an artifact. */
  readonly isOpen: (artifactId: string) => boolean;
}

/** In the order of the stream. The last one alone says the position: a reader that lacks it has nothing yet. */
export function taskFrames({
  task,
  place,
  isReset = false,
  isOpen,
}: ShownTask): readonly A2aStreamResponse[] {
  const { artifacts = [], history = [], ...rest } = task;
  const room = MAX_A2A_FRAME_CHARACTERS - JSON.stringify(rest).length;
  const said = [...fitting([...history].reverse(), room / 2)].reverse();
  const shown = fitting(artifacts, room - JSON.stringify(said).length);
  const behind = artifacts.slice(shown.length).flatMap((artifact) => piecesOf(artifact, isOpen));
  const metadata = place ? placeMetadata(place.seq, place.k) : undefined;
  const own = firstMetadata(behind.length === 0 ? place : null, isReset);
  const first: A2aTask = {
    ...rest,
    ...(shown.length > 0 && { artifacts: shown }),
    ...(said.length > 0 && { history: said }),
    ...(own && { metadata: own }),
  };
  const names = { taskId: task.id, contextId: task.contextId };
  const updates = behind.map((update, index) => {
    const isLast = index === behind.length - 1;
    return { artifactUpdate: { ...names, ...update, ...(metadata && isLast && { metadata }) } };
  });
  return [{ task: first }, ...updates];
}

function firstMetadata(place: ShownTask["place"], isReset: boolean): A2aMetadata | null {
  const reset = isReset ? { reset: true } : {};
  if (place) return placeMetadata(place.seq, place.k, reset);
  return isReset ? { [A2A_EXTENSION]: reset } : null;
}

/** The first ones that fit together. */
function fitting<Item extends object>(items: readonly Item[], characters: number): readonly Item[] {
  let room = characters;
  const end = items.findIndex((item) => {
    room -= JSON.stringify(item).length;
    return room < 0;
  });
  return end === -1 ? items : items.slice(0, end);
}

function piecesOf(artifact: A2aArtifact, isOpen: ShownTask["isOpen"]): readonly ArtifactChange[] {
  const { artifactId, parts } = artifact;
  const text = parts[0]?.text;
  if (text === undefined) return [{ artifact, append: false, lastChunk: true }];
  const pieces = textPieces(text);
  return pieces.map((piece, index) => ({
    artifact: { artifactId, parts: [{ text: piece }] },
    append: index > 0,
    ...(index === pieces.length - 1 && !isOpen(artifactId) && { lastChunk: true }),
  }));
}
