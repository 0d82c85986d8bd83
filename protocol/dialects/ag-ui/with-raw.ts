import { firstSeqOf } from "../../fold/condensed-delta.ts";
import type { LoggedEvent } from "../../events.ts";
import type { AgUiEvent, AgUiFrame } from "./wire/events.ts";

/**
 * Adds the log events to `frames` as `RAW`, where the protocol allows them: within a run. They precede their frames; at
 * a run's start they follow it, with the position of the frame before them. A condensed delta has the position of the first
 * delta that it stands for: a reader that has it, and not its frames, has no text of them yet.
 * @param isInRun Whether a run was open before `events`.
 */
export function withRaw(
  frames: readonly AgUiFrame[],
  events: readonly LoggedEvent[],
  isInRun: boolean,
): readonly AgUiFrame[] {
  const raws = events.map((event): AgUiEvent => ({ type: "RAW", event, source: "agentscope" }));
  const newest = events.at(-1);
  const first = newest ? firstSeqOf(newest) : 0;
  if (isInRun) return [...raws.map((event) => ({ seq: first, k: 0, event })), ...frames];
  const shown = frames.filter(({ event }) => !isTerminal(event));
  const last = shown.at(-1);
  if (!last) return frames;
  // The end of a run must stay its last frame.
  const behind = raws.map((event) => ({ seq: last.seq, k: last.k, event }));
  return [...shown, ...behind, ...frames.slice(shown.length)];
}

function isTerminal({ type }: AgUiEvent): boolean {
  return type === "RUN_FINISHED" || type === "RUN_ERROR";
}
