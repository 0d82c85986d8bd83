import type { LoggedEvent } from "../events.ts";
import { MAX_PROGRESS_CHARACTERS } from "./limits.ts";

/** One `notifications/progress`: `seq` only grows, and is where a reader continues after a cut. */
export interface Progress {
  readonly seq: number;
  readonly text: string;
}

/**
 * The progress that these events are: what the agent says, and the names of the tools that it calls. Text that came
 * together is one notification. Inputs and results of tools stay inside.
 */
export function toProgress(events: readonly LoggedEvent[]): readonly Progress[] {
  const progress: Progress[] = [];
  let said = "";
  let saidSeq = 0;
  for (const event of events) {
    if (event.type === "TEXT_BLOCK_DELTA") {
      said += event.delta;
      saidSeq = event.seq;
      continue;
    }
    const text = textOf(event);
    if (text === null) continue;
    flush();
    progress.push({ seq: event.seq, text });
  }
  flush();
  return progress;

  function flush(): void {
    if (said !== "") progress.push({ seq: saidSeq, text: said.slice(0, MAX_PROGRESS_CHARACTERS) });
    said = "";
  }
}

function textOf(event: LoggedEvent): string | null {
  switch (event.type) {
    case "TOOL_CALL_START":
      return `Calls ${event.tool_call_name}`;
    case "REQUIRE_USER_CONFIRM":
      return "Waits for a permission";
    case "REQUIRE_EXTERNAL_EXECUTION":
      return "Waits for a result";
    default:
      return null;
  }
}
