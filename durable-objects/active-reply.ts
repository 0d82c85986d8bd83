// The reply that runs or waits, in memory: a fold of the log that can be made again from it at any time.
import { advanceReply, startReplyState, type ReplyState } from "../agent/reply-state.ts";
import { startMessage } from "../protocol/append-event.ts";
import type { ReplyStatus } from "../protocol/api/replies.ts";
import type { EventOf, LoggedEvent } from "../protocol/events.ts";
import type { Msg } from "../protocol/messages.ts";
import type { ReplyRow } from "./reply-table.ts";

interface Snapshot {
  readonly seq: number;
  readonly state: ReplyState;
}

export class ActiveReply {
  readonly id: string;
  /** The seq before `REPLY_START`. */
  readonly startCursor: number;
  /** A runner that was given another number may not write. */
  epoch: number;
  status: ReplyStatus;
  /** The last seq, once the reply has ended or waits. */
  endSeq: number | null;
  #state: ReplyState;
  #durable: Snapshot | null = null;
  #committed: Snapshot[] = [];
  #stop = new AbortController();
  #rest: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(row: ReplyRow, start: EventOf<"REPLY_START">) {
    this.id = row.id;
    this.startCursor = row.start_cursor;
    this.epoch = row.epoch;
    this.status = row.status;
    this.endSeq = row.end_seq;
    this.#state = startReplyState(startMessage(start));
  }

  get state(): ReplyState {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.status === "running";
  }

  get isOver(): boolean {
    return this.#state.message.finished_reason !== null;
  }

  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** The fold of what is on disk, and its position; null before `REPLY_START` is. */
  get durable(): { message: Msg; cursor: number } | null {
    return this.#durable && { message: this.#durable.state.message, cursor: this.#durable.seq };
  }

  /** Resolves when the reply's end or its waiting is durable. */
  get rest(): Promise<void> {
    return this.#rest.promise;
  }

  /** Takes the reply from its runner. */
  fence(): void {
    this.epoch += 1;
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  logged(event: LoggedEvent): void {
    if ("reply_id" in event && event.reply_id === this.id) {
      this.#state = advanceReply(this.#state, event);
    }
  }

  committed(seq: number): void {
    this.#committed.push({ seq, state: this.#state });
  }

  durableUpTo(seq: number): void {
    for (const snapshot of this.#committed) if (snapshot.seq <= seq) this.#durable = snapshot;
    this.#committed = this.#committed.filter((snapshot) => snapshot.seq > seq);
    if (this.endSeq !== null && this.endSeq <= seq) this.#rest.resolve();
  }
}
