// Merges deltas before they get a seq: the first one is sent at once, and those that arrive within the window after it
// become one.
import type { DeltaDraft } from "../../agent/ports.ts";
import { DELTA_SEND_WINDOW_MS, MAX_DELTA_CHARACTERS } from "../../protocol/events/limits.ts";

export class DeltaWindow {
  readonly #emit: (draft: DeltaDraft) => void;
  #held: DeltaDraft | null = null;
  #emittedAtMs = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(emit: (draft: DeltaDraft) => void) {
    this.#emit = emit;
  }

  /** Sets no timer while deltas come further apart than the window, as those of a model mostly do. */
  push(draft: DeltaDraft): void {
    const nowMs = Date.now();
    const isOpen = this.#held !== null || nowMs - this.#emittedAtMs < DELTA_SEND_WINDOW_MS;
    if (!isOpen) {
      this.#emittedAtMs = nowMs;
      this.#emit(draft);
      return;
    }
    const merged = this.#held && mergeDeltas(this.#held, draft);
    if (!merged) this.flush();
    this.#held = merged ?? draft;
    this.#timer ??= setTimeout(() => this.flush(), DELTA_SEND_WINDOW_MS);
  }

  /** Emits the held delta; what is appended next must come after it. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const held = this.#held;
    if (!held) return;
    this.#held = null;
    this.#emittedAtMs = Date.now();
    this.#emit(held);
  }
}

/** One delta for two of the same block, or null. Base64 pieces stay apart: their padding may not be joined. */
function mergeDeltas(first: DeltaDraft, second: DeltaDraft): DeltaDraft | null {
  switch (first.type) {
    case "TEXT_BLOCK_DELTA":
    case "THINKING_BLOCK_DELTA":
      if (second.type !== first.type || second.block_id !== first.block_id) return null;
      break;
    case "TOOL_CALL_DELTA":
    case "TOOL_RESULT_TEXT_DELTA":
      if (second.type !== first.type || second.tool_call_id !== first.tool_call_id) return null;
      break;
    case "DATA_BLOCK_DELTA":
    case "TOOL_RESULT_DATA_DELTA":
      return null;
    default:
      return first satisfies never;
  }
  if (first.reply_id !== second.reply_id) return null;
  if (first.delta.length + second.delta.length > MAX_DELTA_CHARACTERS) return null;
  return { ...first, delta: first.delta + second.delta };
}
