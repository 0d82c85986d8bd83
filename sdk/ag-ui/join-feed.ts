// A thread from where the app stands, or from nothing, until nothing runs in it; across disconnects.
import type { SseFrame } from "../../protocol/sse.ts";
import type { ConnectOptions, EventConnection } from "../event-connection.ts";
import type { EventFeed } from "../event-reader.ts";
import type { AgUiThread } from "./ag-ui-thread.ts";
import { closeOpened } from "./close-opened.ts";
import { isAfter, isTerminal, shownFrames, toFrameText, type ShownFrame } from "./shown-frames.ts";

export class JoinFeed implements EventFeed<ShownFrame> {
  readonly #thread: AgUiThread;
  #cursor: string | null;
  /**
   * The first frames of a join, which tell how things stand. All have the same id, so whether all of them came is not
   * known before another one does: a join that is cut before that is made again.
   */
  #prelude: SseFrame[] = [];
  #isTaken = false;
  #isRunOpen = false;
  #shown = 0;

  /** @param after The last frame of a run that is over, all of which the app has; null for an app that has nothing. */
  constructor(thread: AgUiThread, after: string | null) {
    this.#thread = thread;
    this.#cursor = after;
  }

  /** The last frame that was shown; null while a run is open. */
  get end(): string | null {
    return this.#isRunOpen ? null : this.#cursor;
  }

  async connect(options: ConnectOptions): Promise<EventConnection<ShownFrame> | null> {
    const answer = await this.#thread.join(this.#cursor, options.signal);
    this.#isTaken = true;
    if (answer.response.status === 204) {
      answer.close();
      return null;
    }
    let isFirst = true;
    return shownFrames(this.#thread.transport, answer, options, (frame) => {
      // An earlier join was cut: what it opened is opened again by this one, if it still is.
      const closing = isFirst ? closeOpened(this.#prelude.splice(0)) : [];
      isFirst = false;
      return this.#take(frame, closing);
    });
  }

  /** Another run may follow at once, such as one that has waited for its turn. */
  isLast(): boolean {
    return false;
  }

  mayRetry(failures: number): boolean | null {
    return this.#isTaken ? null : failures <= this.#thread.transport.settings.maxRetries;
  }

  /** @param closing Shown before it. */
  #take(frame: SseFrame, closing: readonly object[]): ShownFrame | null {
    const { id, event, data } = frame;
    if (id === null || (this.#cursor !== null && !isAfter(id, this.#cursor))) return null;
    const isOver = isTerminal(frame);
    if (this.#cursor !== null || isOver || (this.#prelude[0]?.id ?? id) !== id) {
      this.#cursor = id;
      this.#prelude = [];
    } else this.#prelude.push(frame);
    const lines = closing.map((closed) => JSON.stringify(closed));
    if (event !== "RUN_STARTED" || !this.#isRunOpen) lines.push(data);
    this.#isRunOpen = !isOver && (this.#isRunOpen || event === "RUN_STARTED");
    if (lines.length === 0) return null;
    this.#shown += 1;
    return { seq: this.#shown, text: lines.map(toFrameText).join(""), isTerminal: isOver };
  }
}
