// The pace at which the progress of one call is told: as it comes at first, and then once in a while, with what was
// said meanwhile.
import type { ToolProgress } from "../../protocol/tools/events.ts";
import {
  MAX_MCP_PROGRESS_CHARACTERS,
  MAX_MCP_PROGRESS_EVENTS,
  MCP_PROGRESS_BURST,
  MCP_PROGRESS_PAUSE_MS,
} from "../../protocol/mcp/limits.ts";

export class ProgressPace {
  readonly #now: () => number;
  #told = 0;
  #toldAtMs = 0;
  #held: ToolProgress | null = null;

  /** @param now Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The progress that is told now; null when it waits for the next one. */
  take(said: ToolProgress): ToolProgress | null {
    this.#held = joined(this.#held, said);
    const nowMs = this.#now();
    const isEarly = nowMs >= this.#toldAtMs && nowMs < this.#toldAtMs + MCP_PROGRESS_PAUSE_MS;
    if (this.#told >= MCP_PROGRESS_BURST && isEarly) return null;
    if (this.#told >= MAX_MCP_PROGRESS_EVENTS) return null;
    this.#toldAtMs = nowMs;
    return this.takeLast();
  }

  /** The progress that was not told yet: nothing follows. */
  takeLast(): ToolProgress | null {
    const held = this.#held;
    this.#held = null;
    if (held) this.#told += 1;
    return held;
  }
}

/** The end of both texts, and the newer numbers. */
function joined(before: ToolProgress | null, { message, progress, total }: ToolProgress) {
  const texts = [before?.message, message].filter((text) => text != null);
  const text = texts.join("\n");
  return {
    message: texts.length === 0 ? null : endOf(text),
    progress: progress ?? before?.progress ?? null,
    total: total ?? before?.total ?? null,
  };
}

function endOf(text: string): string {
  if (text.length <= MAX_MCP_PROGRESS_CHARACTERS) return text;
  // No half of a character.
  return text.slice(-MAX_MCP_PROGRESS_CHARACTERS).replace(/^[\udc00-\udfff]/, "");
}
