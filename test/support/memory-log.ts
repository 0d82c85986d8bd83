// An EventLog in memory: the port's contract without a disk. What is appended is settled.
import type { DeltaDraft, EventLog, ParkedStatus } from "../../agent/ports.ts";
import { NO_TRIES, addFailedTry, triesAt } from "../../agent/model-turn/model-tries.ts";
import { advanceReply, startReplyState, type ReplyState } from "../../agent/state/reply-state.ts";
import { stampEvent } from "../../durable-objects/log/event-stamp.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";

const TEST_TIME = "2026-01-01T00:00:00.000Z";

export class MemoryLog implements EventLog {
  readonly events: LoggedEvent[] = [];
  /** The numbers of events after each append: places at which a crash can cut the log. */
  readonly commits: number[] = [];
  parked: ParkedStatus | null = null;
  #state: ReplyState | null = null;
  #tries = NO_TRIES;

  /** @param metadata Of the `REPLY_START`. */
  constructor(reply_id = "rep_1", metadata: Record<string, unknown> = {}) {
    this.append([
      {
        type: "REPLY_START",
        session_id: "ses_1",
        reply_id,
        name: "Agent",
        role: "assistant",
        metadata,
      },
    ]);
  }

  /** The same log after everything but its events' JSON was lost. */
  static reopen({ events }: Pick<MemoryLog, "events">): MemoryLog {
    const [start, ...rest] = JSON.parse(JSON.stringify(events)) as LoggedEvent[];
    const log = new MemoryLog();
    if (start?.type !== "REPLY_START") throw new Error("a log begins with REPLY_START");
    log.events.splice(0, 1, start);
    log.#state = startReplyState(start);
    for (const event of rest) {
      log.events.push(event);
      log.#state = advanceReply(log.state, event);
    }
    return log;
  }

  get state(): ReplyState {
    if (!this.#state) throw new Error("the reply has not started");
    return this.#state;
  }

  /** The event types in order, runs of the same delta as one. */
  get types(): string[] {
    const types = this.events.map((event) => event.type);
    return types.filter((type, index) => !type.endsWith("_DELTA") || type !== types[index - 1]);
  }

  append(drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      const event = stampEvent(draft, this.events.length + 1, TEST_TIME);
      this.events.push(event);
      this.#state =
        event.type === "REPLY_START" ? startReplyState(event) : advanceReply(this.state, event);
    }
    this.commits.push(this.events.length);
  }

  appendDelta(draft: DeltaDraft): void {
    this.append([draft]);
  }

  get failedTries(): number {
    return triesAt(this.#tries, this.state);
  }

  noteFailedTry(): void {
    this.#tries = addFailedTry(this.#tries, this.state);
  }

  park(status: ParkedStatus): void {
    this.parked = status;
  }

  async settled(): Promise<void> {}
}
