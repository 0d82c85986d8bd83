// Feed of one run; reconnects.
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
  /** The platform has accepted the run. */
  #isTaken = false;
  #hasStarted = false;
  #isOver = false;
  #shown = 0;
  /** The thread of the fork that the run is in; null while it is in the agent's own. */
  #forkId: string | null = null;

  constructor(thread: AgUiThread, input: RunAgentInput) {
    this.#thread = thread;
    this.#input = input;
  }

  /**
   * The run's last frame; null while it is open, when the platform refused it, and when it was in a fork: that frame is
   * no position of the agent's own thread.
   */
  get end(): string | null {
    return this.#isOver && this.#forkId === null ? this.#order.cursor : null;
  }

  /** Without a position to resume from, posts the run again: the run id makes that idempotent. */
  async connect(options: ConnectOptions): Promise<EventConnection<ShownFrame>> {
    const { signal } = options;
    const { cursor } = this.#order;
    const answer =
      cursor === null
        ? await this.#thread.run(this.#input, signal)
        : await this.#thread.join(cursor, signal, this.#forkId ?? undefined);
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

  /** An accepted run is retried up to the give-up time; before that the limit of ordinary requests applies. */
  mayRetry(failures: number): boolean | null {
    return this.#isTaken ? null : failures <= this.#thread.transport.settings.maxRetries;
  }

  #take(frame: SseFrame): ShownFrame | null {
    const { id, event, data } = frame;
    // A refused run is not in the log: its frames' ids have no position, and the stream cannot be resumed.
    const closing = id?.includes(".") ? this.#order.take(frame) : [];
    if (closing === null) return null;
    const lines = closing.map((closed) => JSON.stringify(closed));
    if (event === "RUN_STARTED" && !this.#hasStarted) this.#noteFork(data);
    if (event !== "RUN_STARTED" || !this.#hasStarted) {
      lines.push(event === "RUN_FINISHED" ? this.#named(data) : data);
    }
    this.#hasStarted ||= event === "RUN_STARTED";
    if (lines.length === 0) return null;
    this.#isOver = isTerminal(frame);
    this.#shown += 1;
    return { seq: this.#shown, text: lines.map(toFrameText).join(""), isTerminal: this.#isOver };
  }

  /** Only a run with a parent can be in a fork. The agent's own thread has two names, its id and its session's. */
  #noteFork(data: string): void {
    const { id, sessionId } = this.#thread;
    const { threadId } = JSON.parse(data) as { readonly threadId?: unknown };
    const isOwn = threadId === id || threadId === sessionId;
    if (this.#input.parentRunId == null || isOwn || typeof threadId !== "string") return;
    this.#forkId = threadId;
  }

  /** Replaces the ids in a resumed stream, which are those of the client that started the run, by this client's. */
  #named(data: string): string {
    const { threadId, runId } = this.#input;
    const event = JSON.parse(data) as object;
    return JSON.stringify({ ...event, threadId: this.#forkId ?? threadId, runId });
  }
}
