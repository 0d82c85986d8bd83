// The event log of a reply that is run again: in memory, and gone with it. Counts what its model calls use and cost.
import { eventId } from "../../protocol/ids.ts";
import type { EventDraft, EventOf, LoggedEvent } from "../../protocol/events.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import {
  estimateInputTokens,
  isInputRead,
  USAGE_ESTIMATED,
  withEstimatedUsage,
} from "../model-turn/estimate-usage.ts";
import { addFailedTry, NO_TRIES, triesAt } from "../model-turn/model-tries.ts";
import type {
  DeltaDraft,
  DiagnosticFact,
  Diagnostics,
  EventLog,
  Model,
  ModelRequest,
  ParkedStatus,
} from "../ports.ts";
import { advanceReply, startReplyState, type ReplyState } from "../state/reply-state.ts";

export interface ReplayLogStart {
  readonly session_id: string;
  readonly reply_id: string;
  readonly name: string;
  /** Of `REPLY_START`: output schema and model options. */
  readonly metadata: Record<string, unknown>;
  /** The timestamp of this moment. */
  readonly now: () => string;
  /** Called for each event after it was folded. */
  readonly logged: (event: LoggedEvent, state: ReplyState) => void;
}

interface OpenCall {
  readonly costOf: Model["costOf"];
  readonly request: ModelRequest;
  isRead: boolean;
}

export class ReplayLog implements EventLog, Diagnostics {
  readonly #start: ReplayLogStart;
  #state: ReplyState;
  #seq = 0;
  #tries = NO_TRIES;
  #call: OpenCall | null = null;
  /** Null when a part of it is not known. */
  #cost: number | null = 0;
  /** Of its model calls: a summary of the context is in the message's usage, and has no known cost. */
  #counted = 0;
  #modelCalls = 0;
  parked: ParkedStatus | null = null;

  constructor(start: ReplayLogStart) {
    this.#start = start;
    const { session_id, reply_id, name, metadata } = start;
    const event = this.#stamp({
      type: "REPLY_START",
      session_id,
      reply_id,
      name,
      role: "assistant",
      metadata,
    });
    if (event.type !== "REPLY_START") throw new Error("a log begins with REPLY_START");
    this.#state = startReplyState(event);
  }

  get state(): ReplyState {
    return this.#state;
  }

  get modelCalls(): number {
    return this.#modelCalls;
  }

  /** US dollars; null when a part of it is not known. */
  get costUsd(): number | null {
    const { usage } = this.#state.message;
    return this.#counted === totalOf(usage) ? this.#cost : null;
  }

  append(drafts: readonly EventDraft[]): void {
    const read = () => (this.#call?.isRead ? estimateInputTokens(this.#call.request) : null);
    for (const draft of withEstimatedUsage(drafts, this.#state, read)) this.#add(draft);
  }

  appendDelta(draft: DeltaDraft): void {
    this.#add(draft);
  }

  get failedTries(): number {
    return triesAt(this.#tries, this.#state);
  }

  noteFailedTry(): void {
    this.#tries = addFailedTry(this.#tries, this.#state);
  }

  park(status: ParkedStatus | "running"): void {
    // A record has results: no call of a replay waits for a task.
    if (status !== "running") this.parked = status;
  }

  /** Resolves at once: no event goes to disk. */
  settled(): Promise<void> {
    return Promise.resolve();
  }

  note(fact: DiagnosticFact): void {
    if (fact.type === "model_try") {
      this.#call = { costOf: fact.model.costOf, request: fact.request, isRead: true };
    } else if (fact.type === "model_failed" && this.#call) {
      this.#call.isRead = isInputRead(fact.failure.kind);
    } else if (fact.type === "model_output" && this.#call) {
      this.#call.isRead = true;
    }
  }

  #add(draft: EventDraft): void {
    const event = this.#stamp(draft);
    this.#state = advanceReply(this.#state, event);
    if (event.type === "MODEL_CALL_END") this.#count(event);
    this.#start.logged(event, this.#state);
  }

  #count(end: EventOf<"MODEL_CALL_END">): void {
    this.#modelCalls += 1;
    const tokens = totalOf(end);
    this.#counted += tokens;
    const priced = end.metadata[USAGE_ESTIMATED] === true ? null : this.#call?.costOf?.(pick(end));
    const cost = tokens === 0 ? 0 : (priced ?? null);
    this.#cost = cost === null || this.#cost === null ? null : this.#cost + cost;
    this.#call = null;
  }

  #stamp(draft: EventDraft): LoggedEvent {
    this.#seq += 1;
    return {
      id: eventId(this.#seq),
      created_at: this.#start.now(),
      metadata: {},
      visibility: "user",
      ...draft,
      seq: this.#seq,
    } as LoggedEvent;
  }
}

function pick(usage: Usage): Usage {
  const { input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens } = usage;
  return { input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens };
}

function totalOf(usage: Usage | null): number {
  return usage ? usage.input_tokens + usage.output_tokens : 0;
}
