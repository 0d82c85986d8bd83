// One run across disconnects.
import type { RunAgentInput } from "@ag-ui/client";

import type { SseFrame } from "../../protocol/sse.ts";
import { ConnectionError } from "../transport/connection-error.ts";
import type { ConnectOptions, EventConnection } from "../events/event-connection.ts";
import type { EventFeed } from "../events/read-events.ts";
import type { AgUiThread } from "./ag-ui-thread.ts";
import { FrameOrder } from "./frame-order.ts";
import { isTerminal, shownFrames, toFrameText, type ShownFrame } from "./shown-frames.ts";

export class RunFeed implements EventFeed<ShownFrame> {
  readonly #thread: AgUiThread;
  readonly #input: RunAgentInput;
  readonly #order = new FrameOrder(null);
  /** The platform has taken the request. */
  #isTaken = false;
  #hasStarted = false;
  #isOver = false;
  #shown = 0;

  constructor(thread: AgUiThread, input: RunAgentInput) {
    this.#thread = thread;
    this.#input = input;
  }

  /** Its last frame; null while it is not over, and when the platform has refused it. */
  get end(): string | null {
    return this.#isOver ? this.#order.cursor : null;
  }

  /** Where there is nothing to go on after, the run is asked for again, and has not begun twice by that. */
  async connect(options: ConnectOptions): Promise<EventConnection<ShownFrame>> {
    const { signal } = options;
    const { cursor } = this.#order;
    const answer =
      cursor === null
        ? await this.#thread.run(this.#input, signal)
        : await this.#thread.join(cursor, signal);
    this.#isTaken = true;
    if (answer.response.status === 204) {
      answer.close();
      throw new ConnectionError("the platform has no end of the run");
    }
    this.#order.connect();
    return shownFrames(this.#thread.transport, answer, options, (frame) => this.#take(frame));
  }

  isLast({ isTerminal }: ShownFrame): boolean {
    return isTerminal;
  }

  /** A run that has been taken is worth waiting for; a first contact is tried as often as any request. */
  mayRetry(failures: number): boolean | null {
    return this.#isTaken ? null : failures <= this.#thread.transport.settings.maxRetries;
  }

  #take(frame: SseFrame): ShownFrame | null {
    const { id, event, data } = frame;
    // A refused run is not in the log: its frames have an id without a place, and nothing can be asked for after it.
    const closing = id?.includes(".") ? this.#order.take(frame) : [];
    if (closing === null) return null;
    const lines = closing.map((closed) => JSON.stringify(closed));
    if (event !== "RUN_STARTED" || !this.#hasStarted) {
      lines.push(event === "RUN_FINISHED" ? this.#named(data) : data);
    }
    this.#hasStarted ||= event === "RUN_STARTED";
    if (lines.length === 0) return null;
    this.#isOver = isTerminal(frame);
    this.#shown += 1;
    return { seq: this.#shown, text: lines.map(toFrameText).join(""), isTerminal: this.#isOver };
  }

  /** Whoever reads the thread on is told the names that the log has, which are another's where that one was first. */
  #named(data: string): string {
    const { threadId, runId } = this.#input;
    const event = JSON.parse(data) as object;
    return JSON.stringify({ ...event, threadId, runId });
  }
}
