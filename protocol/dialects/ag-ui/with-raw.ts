import type { LoggedEvent } from "../../events.ts";
import type { AgUiEvent, AgUiFrame } from "./wire/events.ts";

/**
 * `frames` with the events of the log that they come of, where the protocol takes them: inside of a run. Those stand
 * in front; where a run begins they stand behind its beginning, with the id of the frame before them.
 * @param isInRun Whether a run went on before `events`.
 */
export function withRaw(
  frames: readonly AgUiFrame[],
  events: readonly LoggedEvent[],
  isInRun: boolean,
): readonly AgUiFrame[] {
  const raws = events.map((event): AgUiEvent => ({ type: "RAW", event, source: "agentscope" }));
  const seq = events.at(-1)?.seq ?? 0;
  if (isInRun) return [...raws.map((event) => ({ seq, k: 0, event })), ...frames];
  const shown = frames.filter(({ event }) => !isTerminal(event));
  const last = shown.at(-1);
  if (!last) return frames;
  // A run's end, which nothing may follow, is the last of its frames.
  const behind = raws.map((event) => ({ seq, k: last.k, event }));
  return [...shown, ...behind, ...frames.slice(shown.length)];
}

function isTerminal({ type }: AgUiEvent): boolean {
  return type === "RUN_FINISHED" || type === "RUN_ERROR";
}
