// Starts, interrupts, answers and supervises the replies of one session. It decides which execution may write; what a
// reply does is decided in `agent/`, and how it looks to clients in `reply-view.ts`.
import { interruptReply } from "../../agent/loop/interrupt-reply.ts";
import { advanceReply } from "../../agent/state/reply-state.ts";
import { parkHeld } from "../../agent/tool-call/park-held.ts";
import type { OnInterrupt } from "../../protocol/agents/on-interrupt.ts";
import type { InterruptResult, Reply } from "../../protocol/replies/contract.ts";
import type { Result } from "../../protocol/errors.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { ReplyStart } from "../api/session-api.ts";
import { findCodeAgent } from "../../tools/deployed-agents.ts";
import { stampEvent } from "../log/event-stamp.ts";
import { SessionTasks } from "../reply/reply-tasks.ts";
import type { ActiveReply } from "../reply/active-reply.ts";
import type { CurrentReply } from "../reply/current-reply.ts";
import { ReplyLog } from "../reply/reply-log.ts";
import { ReplyExecutions } from "../reply/reply-runner.ts";
import { ReplyStarter } from "../reply/reply-queue.ts";
import { viewActiveReply } from "../reply/reply-view.ts";
import { takeUpReply } from "../reply/resume-reply.ts";
import type { RecordResult } from "../tables/once.ts";
import type { ReplyRow } from "../tables/reply-table.ts";
import { WATCHDOG } from "../tables/timers.ts";
import { readReply } from "./read-reply.ts";
import type { SessionRecord } from "./session-record.ts";

/** The result of an interrupt, and the seq before its first event. */
interface Interruption extends InterruptResult {
  readonly cursor: number;
}

export interface ReplyControlOptions {
  readonly storage: DurableObjectStorage;
  readonly env: Env;
  readonly current: CurrentReply;
  /** Keeps the object in memory until the work is done. */
  readonly inBackground: (work: Promise<unknown>) => void;
}

export class ReplyControl {
  readonly starter: ReplyStarter;
  readonly #session: SessionRecord;
  readonly #storage: DurableObjectStorage;
  readonly #current: CurrentReply;
  readonly #inBackground: ReplyControlOptions["inBackground"];
  readonly #executions: ReplyExecutions;
  readonly #tasks: SessionTasks;

  constructor(
    session: SessionRecord,
    { storage, env, current, inBackground }: ReplyControlOptions,
  ) {
    this.#session = session;
    this.#storage = storage;
    this.#current = current;
    this.#inBackground = inBackground;
    const { settings, outbox, log, tables, newId, tenant, compression } = session;
    this.#executions = new ReplyExecutions(
      { settings, outbox, log, tables, newId, env, tenant, compression },
      inBackground,
    );
    this.#tasks = new SessionTasks(session, {
      env,
      take: (reply, drafts, write, trace) => this.take(reply, drafts, write, trace),
      append: (reply, drafts, write) => void new ReplyLog(session, reply).append(drafts, write),
    });
    this.starter = new ReplyStarter(session, {
      storage,
      interrupt: () => this.interrupt(),
      endAtOnce: (reply, accepted) => void this.#endOpenReply(reply, accepted),
      giveUp: () => this.giveUp(),
      run: (reply, trace) => {
        // One that was interrupted meanwhile has its execution.
        if (!reply.state.is_interrupted) this.#executions.start(reply, { trace });
      },
      inBackground,
    });
  }

  /** @param recordResult Part of the transaction with which the reply begins or is queued; gets its id. */
  startReply(start: ReplyStart, recordResult?: RecordResult<string>): Promise<Result<Reply>> {
    return this.starter.start(start, recordResult);
  }

  /** A reply in its durable state. @param waitMs How long to wait for it to end or park; 0 returns at once. */
  readReply(replyId: string, waitMs: number): Promise<Result<Reply>> {
    return readReply(this.#session, this.starter, { replyId, waitMs });
  }

  /**
   * Resolves when the interrupt is durable. That is the reply's end, unless its model is to make a remark: then
   * everything else of the reply has ended.
   * @param accepted The event that asks for it, or answers that come with it. @param write Part of the same transaction.
   * @param isByUser The agent's `on_interrupt` applies. Without it the reply says nothing: what follows an interrupt by
   * the platform, or by the next input, does not wait for that.
   */
  async interrupt(
    accepted: readonly EventDraft[] = [],
    write?: (events: readonly LoggedEvent[]) => void,
    { isByUser = false }: { readonly isByUser?: boolean } = {},
  ): Promise<Interruption> {
    const { openReply: reply, log } = this.#session;
    if (!reply) return { interrupted: false, reply: null, cursor: log.visibleSeq };
    const { agent } = this.#session.settings.replyInit;
    const isCode = findCodeAgent(agent.code_agent)?.handle_interrupt !== undefined;
    const said = isCode ? ({ type: "code" } as const) : agent.on_interrupt;
    const on_interrupt = isByUser ? said : undefined;
    const [first] = this.#endOpenReply(reply, accepted, write, on_interrupt);
    await log.settled();
    const cursor = (first?.seq ?? 1) - 1;
    return { interrupted: true, reply: viewActiveReply(this.#session, reply), cursor };
  }

  /**
   * Appends an answer to the open reply, which then continues. @param write Part of the same transaction. @param trace
   * The trace of outgoing requests from here on, if the reply had waited.
   */
  take(
    reply: ActiveReply,
    drafts: readonly EventDraft[],
    write: (events: readonly LoggedEvent[]) => void,
    trace?: TraceContext,
  ): readonly LoggedEvent[] {
    // A running reply finds the answer at its next step.
    const { isHeld, isResting } = reply;
    const hasWaited = !reply.isRunning || isResting;
    // An execution that holds a connection goes on with it.
    if (hasWaited && isHeld) reply.release();
    else if (hasWaited) reply.resume();
    const log = new ReplyLog(this.#session, reply);
    const goOn = (logged: readonly LoggedEvent[]): void => {
      if (isResting) this.#session.tables.replies.resumeExecution(reply.id, Date.now());
      write(logged);
    };
    const events = log.appendAnswer(drafts, goOn, trace);
    if (isHeld) parkHeld(log);
    this.#inBackground(this.#continue(reply, hasWaited && !isHeld, trace));
    return events;
  }

  /**
   * Part of waking: restores the reply that the object's last incarnation left open. Resolves when it runs, waits or
   * has ended. @param canResume False when it can only be ended.
   */
  takeUp(row: ReplyRow, canResume: boolean): Promise<void> {
    return takeUpReply(this.#session, row, {
      canResume,
      storage: this.#storage,
      activate: (reply) => this.#current.restore(reply),
      recover: (reply) => this.#executions.recover(reply),
    });
  }

  /** Ends the open reply with an error, because the work that is due for it fails each time. */
  giveUp(): void {
    const { openReply } = this.#session;
    if (openReply) this.#executions.giveUp(openReply);
  }

  /**
   * The watchdog timer's handler. Sets the timer anew before it does anything; cleared when nothing is left to watch.
   */
  async runWatchdog(): Promise<void> {
    const { active, isActing, outbox, tables, tenant } = this.#session;
    const isWatched = isActing && !active?.isResting;
    const delayMs = isWatched || active?.isHeld ? WATCHDOG_INTERVAL_MS : outbox.retryDelayMs;
    tables.timers.set(WATCHDOG, Date.now() + delayMs);
    if (active?.isRunning && !active.isResting) {
      this.#executions.check(active);
      this.#inBackground(tenant.renew(active.counted));
    }
    await Promise.all([this.#report(), this.starter.beginQueued()]);
  }

  /** In the background: delivers the outbox to D1, and begins the next reply of the queue. */
  settle(): void {
    this.#inBackground(this.#report());
    this.startNext();
  }

  /** In the background: begins the next reply of the queue when none is open. */
  startNext(): void {
    this.#inBackground(this.starter.beginQueued());
  }

  /** The handler of the timers of tasks, which sets them anew before it does anything. */
  async lookAtTasks(): Promise<void> {
    try {
      await this.#tasks.lookAtDue();
    } catch (error) {
      // Their timers are set: they are looked at again.
      console.error("tasks could not be looked at", { error: String(error) });
    }
  }

  async #continue(reply: ActiveReply, isNew: boolean, trace?: TraceContext): Promise<void> {
    if (isNew) this.#executions.start(reply, { trace });
    await this.#session.log.settled();
    await this.#report();
  }

  #endOpenReply(
    reply: ActiveReply,
    accepted: readonly EventDraft[] = [],
    write: (events: readonly LoggedEvent[]) => void = () => undefined,
    on_interrupt?: OnInterrupt | { readonly type: "code" },
  ): readonly LoggedEvent[] {
    const { tables, init, newId } = this.#session;
    const tasks = this.#tasks.of(reply);
    if (tasks.length > 0) this.#inBackground(this.#tasks.cancel(reply, tasks));
    // The accepted events may end some of its calls.
    const at = new Date().toISOString();
    const state = accepted.reduce(
      (before, draft) => advanceReply(before, stampEvent(draft, 0, at)),
      reply.state,
    );
    const { session_id } = init;
    const drafts = [...accepted, ...interruptReply(state, { session_id, on_interrupt, newId })];
    if (drafts.at(-1)?.type === "REPLY_END") {
      reply.fence();
      tables.replies.setEpoch(reply.id, reply.epoch);
      return new ReplyLog(this.#session, reply).append(drafts, write);
    }
    reply.resume();
    const trace = tables.replies.trace(reply.id);
    const events = new ReplyLog(this.#session, reply).appendInterrupt(drafts, write, trace);
    this.#executions.start(reply, { trace });
    return events;
  }

  /** Delivers the outbox to D1, and clears the watchdog when nothing is left to watch. */
  async #report(): Promise<void> {
    const session = this.#session;
    const { outbox, log, tables } = session;
    await outbox.flush();
    // Checked with no await before the timer is cleared: another reply may have ended during the delivery.
    // One that rests is woken by the timers of its tasks.
    const isWatched = session.isActing && !session.openReply?.isResting;
    if (log.isClosed || isWatched || !outbox.isEmpty) return;
    // A lost connection is noticed by the next check.
    if (session.openReply?.isHeld) return;
    // An interrupted reply of the queue still has to begin in order to end; behind an open reply it waits for that one.
    const isQueueOver = session.openReply !== null || tables.queue.first() === null;
    if (isQueueOver) tables.timers.clear(WATCHDOG);
  }
}
