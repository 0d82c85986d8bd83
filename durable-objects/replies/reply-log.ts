// The loop's `EventLog` port: appends the events of one execution while its epoch is the newest, and updates the tables
// that follow from them.
import { FencedError } from "../../agent/ports.ts";
import type { DeltaDraft, EventLog, ParkedStatus } from "../../agent/ports.ts";
import { withEstimatedUsage } from "../../agent/model-turn/estimate-usage.ts";
import { addFailedTry, triesAt } from "../../agent/model-turn/model-tries.ts";
import { isAwaitingTasks } from "../../agent/state/is-awaiting-tasks.ts";
import { turnBlocks, type ReplyState } from "../../agent/state/reply-state.ts";
import { isServersTurn } from "../../agent/state/turn-next.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import { TOOL_PROGRESS } from "../../protocol/tools/events.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import { httpAgentOf } from "../../tools/agents/http-agent.ts";
import type { ActiveReply } from "./active-reply.ts";
import { isContextLarge } from "../context/context-size.ts";
import { expectRecording } from "../recording/expect-recording.ts";
import { estimateConversationTokens } from "./estimate-conversation-tokens.ts";
import { withCancelledQuestions } from "./cancelled-questions.ts";
import { logFailures } from "./log-failures.ts";
import { notePushes } from "./note-pushes.ts";
import { isWaiting, pendingCalls } from "./reply-view.ts";
import { scheduleCondensing } from "../settings/schedule-condensing.ts";
import type { Outbox } from "./outbox.ts";
import type { AppendOptions } from "../log/log-observer.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { DiagnosedCall } from "../tables/diagnostics-table.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { COMPRESSION, WATCHDOG } from "../tables/timers.ts";

export interface ReplyLogContext {
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly outbox: Outbox;
  readonly settings: Pick<SessionSettings, "replyInit">;
}

export class ReplyLog implements EventLog {
  readonly #log: SessionLog;
  readonly #tables: SessionTables;
  readonly #outbox: Outbox;
  readonly #settings: ReplyLogContext["settings"];
  readonly #reply: ActiveReply;
  readonly #epoch: number;
  #isEnding = false;
  /** The calls that end with the reply, as its row has them. */
  #lastCalls: string | null = null;

  constructor({ log, tables, outbox, settings }: ReplyLogContext, reply: ActiveReply) {
    this.#log = log;
    this.#settings = settings;
    this.#tables = tables;
    this.#outbox = outbox;
    this.#reply = reply;
    this.#epoch = reply.epoch;
  }

  get state(): ReplyState {
    return this.#reply.state;
  }

  /**
   * The usage of a model call that ends before its provider has said it is estimated here. The turn of a server has none.
   * @param write Part of the same transaction.
   */
  append(
    drafts: readonly EventDraft[],
    write: (events: readonly LoggedEvent[]) => void = () => undefined,
  ): readonly LoggedEvent[] {
    this.#checkEpoch();
    const isLast = drafts.some((draft) => draft.type === "REPLY_END");
    const reply = this.#reply;
    // The execution continues by itself: the connection that it had open has ended.
    const isReleased = !isLast && reply.isHeld && !reply.isRunning;
    if (isReleased) reply.release();
    const unknown = () => estimateConversationTokens(this.#settings.replyInit, this.#tables);
    const whole = withCancelledQuestions(drafts, this.#tables.calls.children);
    const counted = this.#isServed()
      ? whole
      : withEstimatedUsage(whole, reply.state, () => reply.calls.inputTokens(unknown));
    this.#isEnding = isLast;
    const commit = isReleased ? undefined : whenToCommit(counted, reply.state);
    let ended: readonly DiagnosedCall[] = [];
    const events = this.#log.append(counted, {
      isLast,
      ...(commit && { commit }),
      write: (logged) => {
        // The commit of the reply's end, which has followed at once, takes its last calls.
        if (!this.#isEnding && commit !== "soon") ended = this.#diagnose();
        else if (isLast) ended = this.#endCalls();
        this.#record(logged);
        write(logged);
        if (isReleased) this.#resume(logged, this.#tables.replies.trace(reply.id));
      },
    });
    logFailures(ended, { init: this.#settings.replyInit, reply: reply.state.message });
    return events;
  }

  /**
   * Appends an answer. The reply is running from then on; the caller starts an execution if it had waited.
   * @param write Part of the same transaction. @param trace The trace of a reply that had waited, from here on.
   */
  appendAnswer(
    drafts: readonly EventDraft[],
    write: (events: readonly LoggedEvent[]) => void,
    trace?: TraceContext,
  ): readonly LoggedEvent[] {
    this.#checkEpoch();
    return this.#log.append(drafts, {
      write: (events) => {
        this.#record(events);
        this.#diagnose();
        write(events);
        this.#resume(events, trace);
      },
    });
  }

  /**
   * Appends the interrupt of a reply that is to say something about it: from then on the reply runs for that alone.
   * @param write Part of the same transaction.
   */
  appendInterrupt(
    drafts: readonly EventDraft[],
    write: (events: readonly LoggedEvent[]) => void,
    trace?: TraceContext,
  ): readonly LoggedEvent[] {
    return this.append(drafts, (events) => {
      write(events);
      this.#resume(events, trace);
    });
  }

  appendDelta(draft: DeltaDraft): void {
    this.#checkEpoch();
    this.#log.appendDelta(draft);
  }

  get failedTries(): number {
    return triesAt(this.#reply.tries, this.#reply.state);
  }

  noteFailedTry(waitMs: number): void {
    this.#checkEpoch();
    const { id, tries, state } = this.#reply;
    const more = addFailedTry(tries, state);
    this.#reply.tries = more;
    const write = () => this.#tables.replies.setTries(id, more, Date.now() + waitMs);
    this.#log.append([], { write });
  }

  park(
    status: ParkedStatus | "running",
    { isHeld = false }: { readonly isHeld?: boolean } = {},
  ): void {
    this.#checkEpoch();
    if (status === "running") return this.#awaitTasks();
    if (isHeld && !this.#reply.isRunning) return;
    if (isHeld) this.#reply.hold();
    this.#log.append([], { isLast: true, write: () => this.#settle(status) });
  }

  settled(): Promise<void> {
    return this.#log.settled();
  }

  /** The timers of its tasks wake it. */
  #awaitTasks(): void {
    const { id, state } = this.#reply;
    // A task was due meanwhile: the watchdog finds a reply without an execution.
    if (!isAwaitingTasks(state)) return;
    this.#reply.awaitTasks();
    this.#log.append([], { write: () => this.#tables.replies.endExecution(id, Date.now()) });
  }

  #checkEpoch(): void {
    if (this.#reply.epoch !== this.#epoch || this.#reply.isOver) {
      throw new FencedError(`reply ${this.#reply.id} has another execution or has ended`);
    }
  }

  /** Whether the model call that is open is the turn of a server. */
  #isServed(): boolean {
    const { state } = this.#reply;
    const { code_agent } = this.#settings.replyInit.agent;
    return state.is_model_call_open && httpAgentOf(code_agent) !== null && isServersTurn(state);
  }

  #record(events: readonly LoggedEvent[]): void {
    this.#tables.decisions.record(events);
    for (const event of events) {
      this.#tables.calls.record(event);
      if (event.type === "REPLY_END") {
        this.#settle(event.finished_reason, this.#lastCalls);
        this.#scheduleCompression();
        expectRecording(this.#tables, this.#settings.replyInit, event);
        scheduleCondensing(this.#tables.timers, this.#settings.replyInit, event);
      }
    }
  }

  /** The alarm begins what is due when the reply has ended. No write in a session whose context is small. */
  #scheduleCompression(): void {
    const { state, contextSize } = this.#reply;
    const { compression, timers } = this.#tables;
    const isLarge = isContextLarge(this.#settings.replyInit.agent, state, contextSize);
    if (isLarge || (timers.isCompressionSet && compression.requested))
      timers.set(COMPRESSION, Date.now());
  }

  /** Stores what is known of the calls that have ended. */
  #diagnose(): readonly DiagnosedCall[] {
    const ended = this.#reply.calls.takeEnded();
    const { id, calls } = this.#reply;
    for (const call of ended) this.#tables.diagnostics.add(id, call);
    for (const summary of calls.takeSummaries()) this.#tables.diagnostics.addSummary(id, summary);
    return ended;
  }

  /** As {@link #diagnose}, for the end of the reply: its row is written anyway. */
  #endCalls(): readonly DiagnosedCall[] {
    const { id, calls } = this.#reply;
    const ended = calls.takeEnded();
    this.#lastCalls = this.#tables.diagnostics.last(id, ended, calls.takeSummaries());
    return ended;
  }

  /**
   * The reply has ended or waits: stores its message, and adds an outbox entry for D1. @param calls See
   * `DiagnosticsTable.last`.
   */
  #settle(status: Exclude<ActiveReply["status"], "running">, calls: string | null = null): void {
    const reply = this.#reply;
    const seq = this.#log.lastSeq;
    reply.status = status;
    reply.endSeq = seq;
    this.#tables.replies.setStatus(reply.id, status, seq, calls);
    this.#tables.runs.end(reply.id, seq);
    this.#publish(status, seq);
  }

  /**
   * Adds an outbox entry, because fewer calls wait now. The entry has the first event's seq: the reply may wait again
   * at once, and the entry of that, with the last event's seq, has to be the later one.
   */
  #resume([first]: readonly LoggedEvent[], trace?: TraceContext): void {
    const { id, epoch } = this.#reply;
    this.#tables.replies.resume(id, epoch, trace);
    this.#publish("running", first?.seq ?? this.#log.lastSeq);
  }

  /** Sets the watchdog for a reply that had waited; while a reply runs it is set already, maybe for an earlier time. */
  #publish(status: ActiveReply["status"], entry: number): void {
    const { id, startCursor, state, isTask } = this.#reply;
    const seq = this.#log.lastSeq;
    const position = startCursor + 1;
    this.#tables.messages.put({ position, reply_id: id, message: state.message, cursor: seq });
    const waiting = isWaiting(status) ? pendingCalls(state.message, this.#tables.calls) : [];
    this.#outbox.add(id, status, entry, waiting);
    notePushes(this.#tables, state.message, { id, status, isTask });
    this.#tables.timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
  }
}

/**
 * When events have to be on disk; at once where it says nothing. Progress and the beginning of calls: nothing waits for it but
 * readers, and the rest of the call mostly follows within milliseconds. The end of a model call that has called no
 * tool: the reply mostly ends at once, and both are one row.
 */
function whenToCommit(drafts: readonly EventDraft[], state: ReplyState): AppendOptions["commit"] {
  const last = drafts.at(-1);
  if (last?.type === "CUSTOM" && last.name === TOOL_PROGRESS) return "soon";
  if (last?.type === "TOOL_CALL_START") {
    return drafts.every(({ type }) => type === "TOOL_CALL_START") ? "soon" : undefined;
  }
  if (last?.type !== "MODEL_CALL_END" || last.finished_reason === "interrupted") return undefined;
  return turnBlocks(state).some(({ type }) => type === "tool_call") ? undefined : "with_next";
}
