// The executions of the session's reply: one at a time, and a new one when the last one was lost in a crash.
import { closeReply } from "../../agent/state/close-reply.ts";
import { budgetError } from "../../agent/state/budget.ts";
import type { SpentQuota, TenantQuota } from "../../agent/tenant-quota.ts";
import { limitWait, recover } from "../../agent/recovery/recovery.ts";
import { QUOTA_EXCEEDED } from "../../protocol/fold/append-custom.ts";
import { QUOTA_RETRY_MS } from "../../protocol/quotas/limits.ts";
import { WATCHDOG_INTERVAL_MS, DEFAULT_REPLY_SECONDS } from "../../protocol/replies/limits.ts";
import type { ActiveReply } from "./active-reply.ts";
import { giveUpDrafts } from "./give-up-drafts.ts";
import { ReplyLog } from "./reply-log.ts";
import type { ReplyExecutionContext } from "./reply-execution.ts";
import { runActiveReply } from "./run-active-reply.ts";
import { sessionTools } from "../settings/session-tools.ts";
import type { SessionTenant } from "../tenant/session-tenant.ts";
import { WATCHDOG } from "../tables/timers.ts";

interface ExecutionsContext extends Omit<
  ReplyExecutionContext,
  "trace" | "isRestart" | "isConfirmed" | "quotaOf"
> {
  readonly tenant: Pick<SessionTenant, "check">;
}
type ExecutionOptions = Pick<ReplyExecutionContext, "trace" | "isRestart">;

export class ReplyExecutions {
  readonly #context: ExecutionsContext;
  readonly #inBackground: (work: Promise<void>) => void;
  /** A `running` reply without an execution: its back-off is not over, or its execution has ended without an end. */
  #withoutExecution: ActiveReply | null = null;
  /** The reply that has its `quota_exceeded` event. */
  #notified: ActiveReply | null = null;

  /** @param inBackground Keeps the object awake while something runs. */
  constructor(context: ExecutionsContext, inBackground: (work: Promise<void>) => void) {
    this.#context = context;
    this.#inBackground = inBackground;
  }

  /** Starts an execution, from the end of the log, once that is on disk. */
  start(reply: ActiveReply, options: ExecutionOptions): void {
    this.#withoutExecution = null;
    this.#inBackground(this.#run(reply, options));
  }

  /**
   * Recovers a reply whose execution was lost. One commit discards what was left open and counts the attempt, before
   * anything else can be read or written; then the reply continues, at once or after a back-off, or is ended.
   */
  recover(reply: ActiveReply): void {
    const { tables, settings } = this.#context;
    // The remark about an interrupt is not made again.
    if (reply.state.is_interrupted) return this.giveUp(reply);
    const row = tables.replies.journal(reply.id);
    const nowMs = Date.now();
    // Recovered before, and the object was lost during the back-off: nothing has happened since.
    if (row.not_before !== null) return this.#waitOn(reply, row.not_before, nowMs);
    // The time between the crash and now is not counted.
    const ran_ms = row.run_ms + runningMs(row.running_since, reply.lastEventAtMs);
    const tools = sessionTools(settings.replyInit, tables);
    const { events, next, ...counts } = recover(
      reply.state,
      { ...row, ran_ms, max_run_ms: this.#maxRunMs() },
      {
        isIdempotent: (name) => tools.find((tool) => tool.name === name)?.idempotent ?? false,
        nowMs,
        random: Math.random(),
      },
    );
    const not_before = next.type === "wait" ? next.untilMs : nowMs;
    const hasWaited = !reply.isRunning;
    if (hasWaited) reply.resume();
    else reply.fence();
    const log = new ReplyLog(this.#context, reply);
    const write = (): void => {
      const { epoch, state } = reply;
      const steps_at_recovery = state.completed_steps;
      const recovered = { ...counts, epoch, steps_at_recovery, not_before, run_ms: ran_ms };
      tables.replies.recovered(reply.id, recovered);
      tables.timers.set(WATCHDOG, nowMs + WATCHDOG_INTERVAL_MS);
    };
    // A reply that waited on a connection does not wait any more.
    if (hasWaited) log.appendAnswer(events, write, tables.replies.trace(reply.id));
    else log.append(events, write);
    if (next.type === "end") this.#end(log, next.budget);
    else this.#runAt(reply, not_before);
  }

  /**
   * The watchdog's check: a reply whose back-off is over continues, one without an execution is recovered, one that has
   * run for too long is ended. One that has an execution is left alone.
   */
  check(reply: ActiveReply): void {
    const { tables } = this.#context;
    if (this.#withoutExecution === reply) return this.recover(reply);
    const leftMs = this.#leftMs(reply);
    if (leftMs > 0) return this.#checkIn(leftMs);
    reply.fence();
    tables.replies.setEpoch(reply.id, reply.epoch);
    this.#end(new ReplyLog(this.#context, reply), "time");
  }

  /** Ends a reply with an error, from whatever state it is in. */
  giveUp(reply: ActiveReply): void {
    reply.fence();
    const { tables, settings } = this.#context;
    tables.replies.setEpoch(reply.id, reply.epoch);
    new ReplyLog(this.#context, reply).append(giveUpDrafts(reply.state, settings.init.session_id));
  }

  #quotaOf(reply: ActiveReply): TenantQuota {
    const { id: reply_id, epoch } = reply;
    const share = this.#context.tables.replies.share(reply_id);
    return {
      check: (tokens) => this.#context.tenant.check({ reply_id, tokens }, share),
      wait: (spent) => {
        if (reply.epoch === epoch) this.#waitForQuota(reply, spent);
      },
    };
  }

  /** Appends `quota_exceeded` once; the watchdog then checks the quota again from time to time. */
  #waitForQuota(reply: ActiveReply, { quota, retry_after_ms = QUOTA_RETRY_MS }: SpentQuota): void {
    const { tables } = this.#context;
    const nowMs = Date.now();
    const atMs = nowMs + Math.min(retry_after_ms, QUOTA_RETRY_MS);
    const value = { reply_id: reply.id, quota };
    const isNews = this.#notified !== reply && !this.#isNewestEvent(reply);
    this.#notified = reply;
    new ReplyLog(this.#context, reply).append(
      isNews ? [{ type: "CUSTOM", name: QUOTA_EXCEEDED, reply_id: reply.id, value }] : [],
      () => {
        tables.replies.wait(reply.id, atMs, nowMs);
        tables.timers.setBy(WATCHDOG, nowMs + WATCHDOG_INTERVAL_MS);
      },
    );
    this.#runAt(reply, atMs);
  }

  /** The object was restarted while the reply waited for its quota: its event is still the newest. */
  #isNewestEvent({ id }: ActiveReply): boolean {
    const { log } = this.#context;
    const newest = [...log.events(log.lastSeq - 1)].at(-1)?.item;
    return newest?.type === "CUSTOM" && newest.name === QUOTA_EXCEEDED && newest.reply_id === id;
  }

  /** A shortened wait is stored, or each check would begin it anew. */
  #waitOn(reply: ActiveReply, notBeforeMs: number, nowMs: number): void {
    const { log, tables } = this.#context;
    const atMs = limitWait(notBeforeMs, nowMs);
    if (atMs < notBeforeMs) {
      const write = () => {
        tables.replies.setNotBefore(reply.id, atMs);
        tables.timers.setBy(WATCHDOG, nowMs + WATCHDOG_INTERVAL_MS);
      };
      log.append([], { write });
    }
    this.#runAt(reply, atMs);
  }

  #runAt(reply: ActiveReply, atMs: number): void {
    const waitMs = atMs - Date.now();
    const trace = this.#context.tables.replies.trace(reply.id);
    if (waitMs <= 0) return this.start(reply, { isRestart: true, trace });
    this.#withoutExecution = reply;
    this.#checkIn(waitMs);
  }

  /** Sets the watchdog for a time before its next regular check. */
  #checkIn(waitMs: number): void {
    if (waitMs < WATCHDOG_INTERVAL_MS)
      this.#context.tables.timers.setBy(WATCHDOG, Date.now() + waitMs);
  }

  async #run(reply: ActiveReply, options: ExecutionOptions): Promise<void> {
    const { log, tables, settings } = this.#context;
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
    await runActiveReply(reply, { ...this.#context, ...options, isConfirmed, quotaOf });
    const isLost = !log.isClosed && reply.isRunning && reply.epoch === epoch && !reply.isResting;
    if (isLost) this.#withoutExecution = reply;
  }

  #end(log: ReplyLog, budget: Parameters<typeof budgetError>[0]): void {
    const { session_id } = this.#context.settings.init;
    const error = budgetError(budget);
    const closing = { session_id, finished_reason: "error", error, metadata: { budget } } as const;
    log.append(closeReply(log.state, closing));
  }

  #maxRunMs(): number {
    const { budget } = this.#context.settings.replyInit.agent;
    return (budget?.max_seconds ?? DEFAULT_REPLY_SECONDS) * 1_000;
  }

  #leftMs({ id }: ActiveReply): number {
    const { run_ms, running_since } = this.#context.tables.replies.journal(id);
    return this.#maxRunMs() - run_ms - runningMs(running_since, Date.now());
  }
}

function runningMs(since: number | null, untilMs: number): number {
  return since === null ? 0 : Math.max(untilMs - since, 0);
}
