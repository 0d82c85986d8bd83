// The task that a client of A2A holds after frames: artifacts are appended and replaced as the protocol says.
import type {
  A2aArtifact,
  A2aPart,
  A2aStreamResponse,
  A2aTask,
} from "../../../protocol/a2a/wire.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";

/** @throws for what the protocol forbids: an update without a task, an appended piece of an unknown artifact. */
export function foldTask(
  held: A2aTask | null,
  { task, statusUpdate, artifactUpdate }: A2aStreamResponse,
): A2aTask {
  if (task) return task;
  if (!held) throw new Error("a stream begins with a task");
  const update = statusUpdate ?? artifactUpdate;
  if (update?.taskId !== held.id || update.contextId !== held.contextId)
    throw new Error("an update of another task");
  if (statusUpdate) return { ...held, status: statusUpdate.status };
  if (!artifactUpdate) throw new Error("a frame of no kind");
  const { artifact, append = false } = artifactUpdate;
  if (artifact.parts.length === 0) throw new Error("an artifact without parts");
  const known = held.artifacts ?? [];
  const old = known.find(({ artifactId }) => artifactId === artifact.artifactId);
  if (append && !old) throw new Error(`nothing to append to: ${artifact.artifactId}`);
  if (!old) return { ...held, artifacts: [...known, artifact] };
  const grown = append ? { ...old, parts: [...old.parts, ...artifact.parts] } : artifact;
  return { ...held, artifacts: known.map((each) => (each === old ? grown : each)) };
}

/** The task as people see it: pieces of text joined, without artifacts that were taken back and without positions. */
export function shownTask({ metadata: _, history: __, artifacts = [], ...task }: A2aTask) {
  const shown = artifacts.filter(({ metadata }) => metadata?.[A2A_EXTENSION] === undefined);
  return { ...task, artifacts: shown.map(joined) };
}

function joined({ parts, ...artifact }: A2aArtifact): A2aArtifact {
  const pieces: A2aPart[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    if (last?.text !== undefined && part.text !== undefined)
      pieces.splice(-1, 1, { text: last.text + part.text });
    else pieces.push(part);
  }
  return { ...artifact, parts: pieces };
}
