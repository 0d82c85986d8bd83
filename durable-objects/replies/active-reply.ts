// The open reply in memory: a fold of its events that can be rebuilt from the log at any time.
import { a2aMarkOf } from "../../protocol/a2a/a2a-mark.ts";
import { NO_TRIES, type ModelTries } from "../../agent/model-turn/model-tries.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { advanceReply, startReplyState, type ReplyState } from "../../agent/state/reply-state.ts";
import { INPUT_ANSWERED, type InputResponses } from "../../protocol/mcp/events.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { pause } from "../../runtime/pause.ts";
import type { ReplyRow } from "../tables/reply-table.ts";
import { leftTokens, NO_CONTEXT, type ContextSize } from "../context/context-size.ts";
import { CallRecorder } from "./call-recorder.ts";

interface Snapshot {
  readonly seq: number;
  readonly state: ReplyState;
}

export class ActiveReply {
  readonly id: string;
  /** The seq before `REPLY_START`. */
  readonly startCursor: number;
  /** Whether a client of A2A has begun it. */
  readonly isTask: boolean;
  /** The number of its execution; an execution with a lower one may not write any more. */
  epoch: number;
  status: ReplyStatus;
  /** The last seq, once the reply has ended or waits. */
  endSeq: number | null;
  tries: ModelTries = NO_TRIES;
  #contextSize: ContextSize = NO_CONTEXT;
  /** Its calls, for diagnostics. */
  readonly calls = new CallRecorder();
  #state: ReplyState;
  #durable: Snapshot | null = null;
  #committed: Snapshot[] = [];
  #stop = new AbortController();
  #durableSeq = 0;
  #lastEventAt: string;
  #isAbandoned = false;
  #waiting: PromiseWithResolvers<void> | null = null;
  #isAwaitingTasks = false;
  /** The execution that lives on while the reply waits. */
  #heldEpoch: number | null = null;
  readonly #onAnswer = new Set<() => void>();
  /** Whoever gives the reply has posted that its task has changed, and nobody has looked since. */
  #isPushed = false;
  readonly #onPush = new Set<() => void>();

  constructor(
    row: Pick<ReplyRow, "id" | "epoch" | "status" | "start_cursor" | "end_seq">,
    start: EventOf<"REPLY_START">,
  ) {
    this.id = row.id;
    this.startCursor = row.start_cursor;
    this.epoch = row.epoch;
    this.status = row.status;
    this.endSeq = row.end_seq;
    this.isTask = a2aMarkOf(start) !== null;
    this.#state = startReplyState(start);
    this.#lastEventAt = start.created_at;
  }

  get state(): ReplyState {
    return this.#state;
  }

  /** Unix time in milliseconds of its last event. */
  get lastEventAtMs(): number {
    return Date.parse(this.#lastEventAt);
  }

  get isRunning(): boolean {
    return this.status === "running";
  }

  /** Whether it waits, or has waited, with an execution that holds a connection open. */
  get isHeld(): boolean {
    return this.#heldEpoch === this.epoch;
  }

  /** Whether it runs without an execution: all that is left of its turn is with servers, which work on tasks. */
  get isAwaitingTasks(): boolean {
    return this.#isAwaitingTasks;
  }

  get isOver(): boolean {
    return this.#state.message.finished_reason !== null;
  }

  /** Its tokens, as the tenant's quotas count them. */
  get counted(): { readonly reply_id: string; readonly tokens: number } {
    const { usage } = this.#state.message;
    return { reply_id: this.id, tokens: usage ? usage.input_tokens + usage.output_tokens : 0 };
  }

  /** The size of its context, as far as it is known without reading anything. */
  get contextSize(): ContextSize {
    return this.#contextSize;
  }

  /** Notes that an execution has read the messages before it. @param bytes Of their text. */
  noteHistory(bytes: number): void {
    this.#contextSize = { ...NO_CONTEXT, bytes };
  }

  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** The fold up to what is on disk, and its seq; null before `REPLY_START` is on disk. */
  get durable(): { message: Msg; cursor: number } | null {
    return this.#durable && { message: this.#durable.state.message, cursor: this.#durable.seq };
  }

  /** Whether its end, or that it waits, is on disk. */
  get isSettled(): boolean {
    return this.#isAbandoned || (this.endSeq !== null && this.endSeq <= this.#durableSeq);
  }

  /** Resolves when the reply is settled. */
  get settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    this.#waiting ??= Promise.withResolvers<void>();
    return this.#waiting.promise;
  }

  /** Resolves `settled` for all who wait: the session is being removed. */
  abandon(): void {
    this.fence();
    this.#isAbandoned = true;
    this.#resolveSettled();
  }

  /** Ends its execution: the epoch grows, so that the execution's next write is refused, and `stop` is aborted. */
  fence(): void {
    this.epoch += 1;
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** Lets a reply that waited run again, in a new execution. */
  resume(): void {
    this.fence();
    this.#isAwaitingTasks = false;
    this.status = "running";
    this.endSeq = null;
  }

  /** Notes that its execution has ended, and that the next one begins when a task is due. */
  awaitTasks(): void {
    this.#isAwaitingTasks = true;
  }

  /** Notes that it waits from now on, and that its execution lives on. */
  hold(): void {
    this.#heldEpoch = this.epoch;
  }

  /** Lets a reply that waited with its execution run again, in the same one. */
  release(): void {
    this.status = "running";
    this.endSeq = null;
  }

  /** Resolves with what the call was answered; with null after `stop`. */
  untilAnswered(callId: string, stop: StopSignal): Promise<InputResponses | null> {
    const { promise, resolve } = Promise.withResolvers<InputResponses | null>();
    const look = () => {
      const responses = this.#state.inputs.get(callId)?.responses ?? null;
      if (responses || stop.aborted) resolve(responses);
    };
    this.#onAnswer.add(look);
    stop.addEventListener("abort", look, { once: true });
    look();
    return promise.finally(() => {
      this.#onAnswer.delete(look);
      stop.removeEventListener("abort", look);
    });
  }

  /** Wakes an execution that waits for the agent of another system that gives the reply. */
  notePush(): void {
    this.#isPushed = true;
    for (const look of this.#onPush) look();
  }

  /** Resolves at once for what was posted since the last time, else with the next post, at `stop` or when the time is over. */
  async untilPushed(waitMs: number, stop: AbortSignal): Promise<void> {
    const over = new AbortController();
    const look = (): void => over.abort();
    this.#onPush.add(look);
    if (this.#isPushed) look();
    await pause(waitMs, AbortSignal.any([stop, over.signal]));
    this.#onPush.delete(look);
    this.#isPushed = false;
  }

  logged(event: LoggedEvent): void {
    if ("reply_id" in event && event.reply_id === this.id) {
      this.#state = advanceReply(this.#state, event);
      const tokens = leftTokens(event);
      const { characters } = this.#state;
      if (tokens !== null) this.#contextSize = { bytes: 0, tokens, characters };
      this.calls.logged(event);
      this.#lastEventAt = event.created_at;
      if (event.type === "CUSTOM" && event.name === INPUT_ANSWERED) {
        for (const look of this.#onAnswer) look();
      }
    }
  }

  committed(seq: number): void {
    // Events of the session behind the reply's end are not part of it: its row has the same end after a restart.
    const last = this.#committed.at(-1) ?? this.#durable;
    const isBehind = this.endSeq !== null && (last?.seq ?? 0) >= this.endSeq;
    // But for what was heard of it, which is known later.
    if (isBehind && last?.state.message === this.#state.message) return;
    this.#committed.push({ seq, state: this.#state });
  }

  durableUpTo(seq: number): void {
    for (const snapshot of this.#committed) if (snapshot.seq <= seq) this.#durable = snapshot;
    this.#committed = this.#committed.filter((snapshot) => snapshot.seq > seq);
    this.#durableSeq = Math.max(this.#durableSeq, seq);
    if (this.isSettled) this.#resolveSettled();
  }

  #resolveSettled(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve();
  }
}
