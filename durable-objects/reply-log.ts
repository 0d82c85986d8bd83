// The loop's view of the log: one runner's right to write, and what its events change in the journal.
import { FencedError } from "../agent/ports.ts";
import type { DeltaDraft, EventLog, ParkedStatus } from "../agent/ports.ts";
import type { ReplyState } from "../agent/reply-state.ts";
import type { EventDraft, LoggedEvent } from "../protocol/events.ts";
import type { ActiveReply } from "./active-reply.ts";
import type { Outbox } from "./outbox.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionTables } from "./session-tables.ts";

export interface ReplyLogContext {
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly outbox: Outbox;
}

export class ReplyLog implements EventLog {
  readonly #log: SessionLog;
  readonly #tables: SessionTables;
  readonly #outbox: Outbox;
  readonly #reply: ActiveReply;
  readonly #epoch: number;

  constructor({ log, tables, outbox }: ReplyLogContext, reply: ActiveReply) {
    this.#log = log;
    this.#tables = tables;
    this.#outbox = outbox;
    this.#reply = reply;
    this.#epoch = reply.epoch;
  }

  get state(): ReplyState {
    return this.#reply.state;
  }

  append(drafts: readonly EventDraft[]): void {
    this.#checkEpoch();
    const isLast = drafts.some((draft) => draft.type === "REPLY_END");
    this.#log.append(drafts, { isLast, write: (events) => this.#record(events) });
  }

  appendDelta(draft: DeltaDraft): void {
    this.#checkEpoch();
    this.#log.appendDelta(draft);
  }

  park(status: ParkedStatus): void {
    this.#checkEpoch();
    this.#log.append([], { isLast: true, write: () => this.#rest(status) });
  }

  settled(): Promise<void> {
    return this.#log.settled();
  }

  #checkEpoch(): void {
    if (this.#reply.epoch !== this.#epoch || this.#reply.isOver) {
      throw new FencedError(`reply ${this.#reply.id} has another runner or has ended`);
    }
  }

  #record(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      this.#tables.replies.record(event);
      if (event.type === "REPLY_END") this.#rest(event.finished_reason);
    }
  }

  /** The reply has nothing more to say for now: its message is stored, and D1 is to hear of it. */
  #rest(status: Exclude<ActiveReply["status"], "running">): void {
    const reply = this.#reply;
    const seq = this.#log.lastSeq;
    reply.status = status;
    reply.endSeq = seq;
    this.#tables.replies.setStatus(reply.id, status, seq);
    this.#tables.messages.put({
      position: reply.startCursor + 1,
      reply_id: reply.id,
      message: reply.state.message,
      cursor: seq,
    });
    this.#outbox.add(reply.id, status, seq);
  }
}
