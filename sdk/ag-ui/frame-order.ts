import type { SseFrame } from "../../protocol/sse.ts";
import { closeOpened } from "./close-opened.ts";
import { isAfter, isTerminal } from "./shown-frames.ts";

/**
 * Tells new frames from repeated ones and tracks the resume position.
 *
 * A stream may begin with a group of snapshot frames that share one id. The group is complete only when another id
 * follows; a stream that is cut before that is requested from the same position again.
 */
export class FrameOrder {
  #cursor: string | null;
  #prelude: SseFrame[] = [];
  /** Lanes of called agents that the app has been told of, and this connection not yet: a run opens each once. */
  readonly #lanes = new Set<string>();
  #isConnecting = false;

  /** @param cursor The last frame that the app received; null for none. */
  constructor(cursor: string | null) {
    this.#cursor = cursor;
  }

  /** The last frame from which the stream can be resumed; null while there is none. */
  get cursor(): string | null {
    return this.#cursor;
  }

  /** Call on each new connection: the next frame is a stream's first. */
  connect(): void {
    this.#isConnecting = true;
  }

  /**
   * Null for a frame that the app has already. Otherwise the events to emit before it: they close what the previous
   * connection had opened, because this stream opens it again.
   */
  take(frame: SseFrame): readonly object[] | null {
    const closing = this.#isConnecting ? this.#leavePrelude() : [];
    this.#isConnecting = false;
    const { id } = frame;
    if (id === null || (this.#cursor !== null && !isAfter(id, this.#cursor))) return null;
    if (this.#cursor !== null || isTerminal(frame) || (this.#prelude[0]?.id ?? id) !== id) {
      this.#cursor = id;
      this.#prelude = [];
      return [...closing, ...this.#closeLanes()];
    }
    this.#prelude.push(frame);
    const lane = laneOf(frame);
    if (lane !== null && this.#lanes.delete(lane)) return null;
    return closing;
  }

  #leavePrelude(): readonly object[] {
    const left = this.#prelude.splice(0);
    for (const frame of left) {
      const lane = laneOf(frame);
      if (lane !== null) this.#lanes.add(lane);
    }
    return closeOpened(left);
  }

  /** The ends of lanes whose agents have ended between two connections. */
  #closeLanes(): readonly object[] {
    const left = [...this.#lanes].reverse();
    this.#lanes.clear();
    return left.map((subagentRunId) => ({ type: "SUBAGENT_FINISHED", subagentRunId }));
  }
}

function laneOf({ event, data }: SseFrame): string | null {
  if (event !== "SUBAGENT_STARTED") return null;
  return (JSON.parse(data) as { readonly subagentRunId: string }).subagentRunId;
}
