// Merging, done once and before a seq is given: the first delta goes at once, what arrives within the window
// after it becomes one delta.
import type { DeltaDraft } from "../agent/ports.ts";
import { DELTA_SEND_WINDOW_MS, MAX_DELTA_CHARACTERS } from "../protocol/limits.ts";

export class DeltaWindow {
  readonly #emit: (draft: DeltaDraft) => void;
  #held: DeltaDraft | null = null;
  #isOpen = false;

  constructor(emit: (draft: DeltaDraft) => void) {
    this.#emit = emit;
  }

  push(draft: DeltaDraft): void {
    if (!this.#isOpen) {
      this.#emit(draft);
      this.#open();
      return;
    }
    const merged = this.#held && mergeDeltas(this.#held, draft);
    if (merged) {
      this.#held = merged;
      return;
    }
    this.flush();
    this.#held = draft;
  }

  /** Gives out what is held; whatever is appended next must come after it. */
  flush(): void {
    const held = this.#held;
    this.#held = null;
    if (held) this.#emit(held);
  }

  #open(): void {
    this.#isOpen = true;
    setTimeout(() => {
      this.#isOpen = false;
      if (!this.#held) return;
      this.flush();
      this.#open();
    }, DELTA_SEND_WINDOW_MS);
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
