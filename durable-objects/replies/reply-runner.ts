// Runs, interrupts, answers and watches the session's open reply: one execution at a time, and a new one when the last one
// was lost in a crash. Decides which execution may write; what a reply does is decided in `agent/`.
import { interruptReply } from "../../agent/loop/interrupt-reply.ts";
import { budgetError } from "../../agent/state/budget.ts";
import { closeReply } from "../../agent/state/close-reply.ts";
import { advanceReply } from "../../agent/state/reply-state.ts";
import type { SpentQuota, TenantQuota } from "../../agent/tenant-quota.ts";
import { parkHeld } from "../../agent/tool-call/park-held.ts";
import type { InterruptResult } from "../../protocol/replies/contract.ts";
import type { OnInterrupt } from "../../protocol/agents/on-interrupt.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import { handlesInterrupt } from "../../tools/deployed-agents.ts";
import type { SessionInit } from "../api/session-api.ts";
import { stampEvent } from "../log/event-stamp.ts";
import type { Recorder } from "../recording/recorder.ts";
import { WATCHDOG } from "../tables/timers.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";
import type { ActiveReply } from "./active-reply.ts";
import { awaitQuota } from "./await-quota.ts";
import { giveUpDrafts } from "./give-up-drafts.ts";
import { recoverReply } from "./recover-reply.ts";
import { ReplyChildren } from "./reply-children.ts";
import type { ReplyExecutionContext } from "./reply-execution.ts";
import { ReplyLog } from "./reply-log.ts";
import { ReplyTasks, type TaskSession } from "./reply-tasks.ts";
import { viewActiveReply } from "./reply-view.ts";
import { reportSession } from "./report-session.ts";
import { runActiveReply } from "./run-active-reply.ts";
import { leftRunMs } from "./run-time.ts";

type ExecutionOptions = Pick<ReplyExecutionContext, "trace" | "isRestart">;

/** The session, as far as running its reply needs it. */
interface RunnerSession
  extends
    TaskSession,
    Pick<
      ReplyExecutionContext,
      "outbox" | "settings" | "newId" | "compression" | "backgroundCalls" | "spoken"
    > {
  readonly init: SessionInit;
  readonly recording: Pick<Recorder, "holdsLease">;
  readonly active: ActiveReply | null;
  readonly isActing: boolean;
  readonly tenant: Pick<SessionTenant, "check" | "renew" | "settle">;
}

interface RunnerPlatform {
  readonly env: Env;
  /** Keeps the object in memory until the work is done. */
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** The result of an interrupt, and the seq before its first event. */
type Interruption = InterruptResult & { readonly cursor: number };

type Write = (events: readonly LoggedEvent[]) => void;

export class ReplyRunner {
  readonly #session: RunnerSession;
  readonly #platform: RunnerPlatform;
  /** The tasks of servers that calls of the open reply wait for. */
  readonly tasks: ReplyTasks;
  /** The agents that the reply's calls have called. */
  readonly children: ReplyChildren;
  /** A `running` reply without an execution: its back-off is not over, or its execution has ended without an end. */
  #withoutExecution: ActiveReply | null = null;
  /** The reply that has its `quota_exceeded` event. */
  #notified: ActiveReply | null = null;

  constructor(session: RunnerSession, platform: RunnerPlatform) {
    this.#session = session;
    this.#platform = platform;
    this.tasks = new ReplyTasks(session, this, platform.env);
    this.children = new ReplyChildren(session, this, platform.env);
  }

  /** Runs a reply whose start is durable. One that was interrupted meanwhile has its execution. */
  begin(reply: ActiveReply, trace?: TraceContext): void {
    if (!reply.state.is_interrupted) this.start(reply, { trace });
  }

  /** Starts an execution, from the end of the log, once that is on disk. */
  start(reply: ActiveReply, options: ExecutionOptions): void {
    this.#withoutExecution = null;
    this.#platform.inBackground(this.#run(reply, options));
  }

  /**
   * Recovers a reply whose execution was lost. One commit discards what was left open and counts the attempt, before
   * anything else can be read or written; then the reply continues, at once or after a back-off, or is ended.
   */
  recover(reply: ActiveReply): void {
    // No text about an interrupt is made twice.
    if (reply.state.is_interrupted) return this.giveUp(reply);
    const next = recoverReply(this.#session, reply);
    if (next.type === "end") this.#end(next.log, next.budget);
    else this.#runAt(reply, next.atMs);
  }

  /** Sets the watchdog's timer anew, before anything is done, and checks a reply that runs. */
  watch(): void {
    const { active, isActing, outbox, tables, tenant } = this.#session;
    const isWatched = isActing && !active?.isAwaitingTasks;
    const delayMs = isWatched || active?.isHeld ? WATCHDOG_INTERVAL_MS : outbox.retryDelayMs;
    tables.timers.set(WATCHDOG, Date.now() + delayMs);
    if (!active?.isRunning || active.isAwaitingTasks) return;
    this.#check(active);
    this.#platform.inBackground(tenant.renew(active.counted));
  }

  /**
   * A reply whose back-off is over continues, one without an execution is recovered, one that has run for too long is
   * ended. One that has an execution is left alone.
   */
  #check(reply: ActiveReply): void {
    const { tables } = this.#session;
    if (this.#withoutExecution === reply) return this.recover(reply);
    const leftMs = this.#leftMs(reply);
    if (leftMs > 0) return this.#checkIn(leftMs);
    reply.fence();
    tables.replies.setEpoch(reply.id, reply.epoch);
    this.#end(new ReplyLog(this.#session, reply), "time");
  }

  /** Ends the open reply with an error, from whatever state it is in: the work that is due for it fails each time. */
  giveUp(reply: ActiveReply | null = this.#session.openReply): void {
    if (!reply) return;
    reply.fence();
    const { tables, init } = this.#session;
    tables.replies.setEpoch(reply.id, reply.epoch);
    this.append(reply, giveUpDrafts(reply.state, init.session_id));
  }

  /**
   * Resolves when the interrupt is durable. That is the reply's end, unless its model is to say something about it: then
   * everything else of the reply has ended.
   * @param accepted The event that asks for it, or answers that come with it. @param write Part of the same transaction.
   * @param isByUser The agent's `on_interrupt` applies. Without it the reply says nothing: what follows an interrupt by
   * the platform, or by the next input, does not wait for that.
   */
  async interrupt(
    accepted: readonly EventDraft[] = [],
    write?: Write,
    { isByUser = false }: { readonly isByUser?: boolean } = {},
  ): Promise<Interruption> {
    const { openReply: reply, log } = this.#session;
    if (!reply) return { interrupted: false, reply: null, cursor: log.visibleSeq };
    const { agent } = this.#session.settings.replyInit;
    const isCode = handlesInterrupt(agent.code_agent);
    const said = isCode ? ({ type: "code" } as const) : agent.on_interrupt;
    const on_interrupt = isByUser ? said : undefined;
    const [first] = this.end(reply, accepted, write, on_interrupt);
    await log.settled();
    const cursor = (first?.seq ?? 1) - 1;
    return { interrupted: true, reply: viewActiveReply(this.#session, reply), cursor };
  }

  /**
   * Appends an answer to the open reply, which then continues. @param write Part of the same transaction. @param trace
   * The trace of outgoing requests from here on, if the reply had waited.
   */
  answer(
    reply: ActiveReply,
    drafts: readonly EventDraft[],
    write: Write,
    trace?: TraceContext,
  ): readonly LoggedEvent[] {
    // A running reply finds the answer at its next step.
    const { isHeld, isAwaitingTasks } = reply;
    const hasWaited = !reply.isRunning || isAwaitingTasks;
    // An execution that holds a connection keeps it.
    if (hasWaited && isHeld) reply.release();
    else if (hasWaited) reply.resume();
    const log = new ReplyLog(this.#session, reply);
    const resumed = (logged: readonly LoggedEvent[]): void => {
      if (isAwaitingTasks) this.#session.tables.replies.resumeExecution(reply.id, Date.now());
      write(logged);
    };
    const events = log.appendAnswer(drafts, resumed, trace);
    if (isHeld) parkHeld(log);
    this.#platform.inBackground(this.#continue(reply, hasWaited && !isHeld, trace));
    return events;
  }

  /** Appends to the open reply, whatever runs. @param write Part of the same transaction. */
  append(reply: ActiveReply, drafts: readonly EventDraft[], write?: Write): readonly LoggedEvent[] {
    return new ReplyLog(this.#session, reply).append(drafts, write);
  }

  /** Delivers the outbox to D1, and clears the watchdog when nothing is left to watch. */
  report(): Promise<void> {
    return reportSession(this.#session);
  }

  /** Ends the open reply as interrupted, or has its model say something about it first. */
  end(
    reply: ActiveReply,
    accepted: readonly EventDraft[] = [],
    write: Write = () => undefined,
    on_interrupt?: OnInterrupt | { readonly type: "code" },
  ): readonly LoggedEvent[] {
    const { tables, init, newId } = this.#session;
    const isWithoutExecution = !reply.isRunning || this.#withoutExecution === reply;
    this.#platform.inBackground(this.tasks.cancelAll(reply, isWithoutExecution));
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
      return this.append(reply, drafts, write);
    }
    reply.resume();
    const trace = tables.replies.trace(reply.id);
    const events = new ReplyLog(this.#session, reply).appendInterrupt(drafts, write, trace);
    this.start(reply, { trace });
    return events;
  }

  async #continue(reply: ActiveReply, isNew: boolean, trace?: TraceContext): Promise<void> {
    if (isNew) this.start(reply, { trace });
    await this.#session.log.settled();
    await this.report();
  }

  #quotaOf(reply: ActiveReply): TenantQuota {
    const { id: reply_id, epoch } = reply;
    const share = this.#session.tables.replies.share(reply_id);
    return {
      check: (tokens) => this.#session.tenant.check({ reply_id, tokens }, share),
      wait: (spent) => {
        if (reply.epoch === epoch) this.#waitForQuota(reply, spent);
      },
    };
  }

  #waitForQuota(reply: ActiveReply, spent: SpentQuota): void {
    const isNotified = this.#notified === reply;
    this.#notified = reply;
    this.#runAt(reply, awaitQuota(this.#session, reply, spent, isNotified));
  }

  #runAt(reply: ActiveReply, atMs: number): void {
    const waitMs = atMs - Date.now();
    const trace = this.#session.tables.replies.trace(reply.id);
    if (waitMs <= 0) return this.start(reply, { isRestart: true, trace });
    this.#withoutExecution = reply;
    this.#checkIn(waitMs);
  }

  /** Sets the watchdog for a time before its next regular check. */
  #checkIn(waitMs: number): void {
    if (waitMs < WATCHDOG_INTERVAL_MS)
      this.#session.tables.timers.setBy(WATCHDOG, Date.now() + waitMs);
  }

  async #run(reply: ActiveReply, options: ExecutionOptions): Promise<void> {
    const { log, tables, settings, outbox, newId, compression } = this.#session;
    const { backgroundCalls, spoken } = this.#session;
    const { epoch } = reply;
    const isConfirmed = settings.confirmCredentials();
    await log.settled();
    if (log.isClosed || reply.epoch !== epoch) return;
    if (options.isRestart) {
      // On disk before anything is done, so that a crash right at the start is counted each time.
      log.append([], { write: () => tables.replies.beginExecution(reply.id, Date.now()) });
      await log.settled();
      if (log.isClosed || reply.epoch !== epoch) return;
    }
    this.#checkIn(this.#leftMs(reply));
    const quotaOf = () => this.#quotaOf(reply);
    const { env } = this.#platform;
    const session = { log, tables, settings, outbox, newId, compression, backgroundCalls, spoken };
    await runActiveReply(reply, { ...session, env, ...options, isConfirmed, quotaOf });
    const isLost =
      !log.isClosed && reply.isRunning && reply.epoch === epoch && !reply.isAwaitingTasks;
    if (isLost) this.#withoutExecution = reply;
    if (!log.isClosed && reply.isAwaitingTasks) await this.children.lookAtDue();
  }

  #leftMs({ id }: ActiveReply): number {
    const { tables, settings } = this.#session;
    return leftRunMs(tables, id, settings.replyInit);
  }

  #end(log: ReplyLog, budget: Parameters<typeof budgetError>[0]): void {
    const { session_id } = this.#session.settings.init;
    const error = budgetError(budget);
    const closing = { session_id, finished_reason: "error", error, metadata: { budget } } as const;
    log.append(closeReply(log.state, closing));
  }
}
