// Feed of a thread from a position, or from a snapshot, until no run is active; reconnects.
import type { SseFrame } from "../../protocol/sse.ts";
import type { ConnectOptions, EventConnection } from "../events/event-connection.ts";
import type { EventFeed } from "../events/read-events.ts";
import type { AgUiThread } from "./ag-ui-thread.ts";
import { FrameOrder } from "./frame-order.ts";
import { isTerminal, shownFrames, toFrameText, type ShownFrame } from "./shown-frames.ts";

export class JoinFeed implements EventFeed<ShownFrame> {
  readonly #thread: AgUiThread;
  readonly #order: FrameOrder;
  #isTaken = false;
  #isRunOpen = false;
  #shown = 0;

  /** @param after The last frame of a finished run that the app received completely; null for none. */
  constructor(thread: AgUiThread, after: string | null) {
    this.#thread = thread;
    this.#order = new FrameOrder(after);
  }

  /** The last frame emitted; null while a run is open. */
  get end(): string | null {
    return this.#isRunOpen ? null : this.#order.cursor;
  }

  async connect(options: ConnectOptions): Promise<EventConnection<ShownFrame> | null> {
    const answer = await this.#thread.join(this.#order.cursor, options.signal);
    this.#isTaken = true;
    if (answer.response.status === 204) {
      answer.close();
      return null;
    }
    this.#order.connect();
    return shownFrames(this.#thread.transport, answer, options, (frame) => this.#take(frame));
  }

  /** Always false: another run may follow at once, such as a queued one. */
  isLast(): boolean {
    return false;
  }

  mayRetry(failures: number): boolean | null {
    return this.#isTaken ? null : failures <= this.#thread.transport.settings.maxRetries;
  }

  #take(frame: SseFrame): ShownFrame | null {
    const closing = this.#order.take(frame);
    if (closing === null) return null;
    const { event, data } = frame;
    const isOver = isTerminal(frame);
    const lines = closing.map((closed) => JSON.stringify(closed));
    if (event !== "RUN_STARTED" || !this.#isRunOpen) lines.push(data);
    this.#isRunOpen = !isOver && (this.#isRunOpen || event === "RUN_STARTED");
    if (lines.length === 0) return null;
    this.#shown += 1;
    return { seq: this.#shown, text: lines.map(toFrameText).join(""), isTerminal: isOver };
  }
}
