// Compressions of a session's context: one at a time, whether a reply waits for it, a request does, or no one. Between
// replies it is work of the object that its timer begins, and begins again after a crash; its result is one commit, which
// is left out when the context has changed meanwhile.
import { CONTEXT_FOLD, type ContextState } from "../../agent/context/context-fold.ts";
import { failedCompression } from "../../agent/context/failed-compression.ts";
import type { CompressionOutcome } from "../../agent/context/context-keeper.ts";
import { modelError } from "../../agent/state/model-error.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { CONTEXT_COMPRESSED, type ContextCompressedValue } from "../../protocol/context/events.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { COMPRESSION_CHECK_MS, COMPRESSION_PARKED_MS } from "../../protocol/context/limits.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import { untilStopped } from "../../runtime/until-stopped.ts";
import { COMPRESSION, WATCHDOG } from "../tables/timers.ts";
import { billCompression, type FailedUse } from "./bill-compression.ts";
import type { CompressionPlatform, CompressionSession } from "./compression-session.ts";
import { errorOfRefusal, STOPPED } from "./refused-summary.ts";
import { summariseBetweenReplies } from "./summarise-between-replies.ts";

/** The outcome of a compression between replies. */
export type CompressionReport =
  | { readonly type: "completed"; readonly value: ContextCompressedValue }
  | { readonly type: "nothing" }
  | { readonly type: "failed"; readonly error: ErrorInfo; readonly used?: FailedUse }
  | { readonly type: "refused"; readonly refusal: Refusal };

export interface CompressionJob {
  readonly summary_id: string;
  readonly instructions: string | null;
  /** A request has asked for it: it is made whatever the size of the context is. */
  readonly isRequested: boolean;
  readonly trace?: TraceContext;
  /** Part of the transaction with the summary. @param seq Of its event. */
  readonly write?: (seq: number) => void;
}

export class SessionCompression {
  readonly #session: CompressionSession;
  readonly #platform: CompressionPlatform;
  /** Ends the one that is made between replies. */
  #stop = new AbortController();
  /** Resolves when the one that is being made is over. */
  #running: Promise<unknown> | null = null;
  /** The one that is made, or is about to be made, between replies. */
  #beside: { readonly job: CompressionJob; readonly report: Promise<CompressionReport> } | null =
    null;
  #holdsLease = false;

  constructor(session: CompressionSession, platform: CompressionPlatform) {
    this.#session = session;
    this.#platform = platform;
  }

  /** Whether one is being made between replies, under the session's lease: a reply that has ended must not end that. */
  get holdsLease(): boolean {
    return this.#holdsLease;
  }

  /** Whether one is due or being made. */
  get isActive(): boolean {
    const { timers, compression } = this.#session.tables;
    return this.#running !== null || compression.requested !== null || timers.has(COMPRESSION);
  }

  /** Ends the one that is made between replies: the tenant is stopped, or the session is being erased. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /**
   * For a reply that runs: waits for the one that is being made, and then looks again.
   * @param state As the reply has read it. @param make Makes one; it appends nothing.
   */
  async ofReply(
    state: ContextState,
    stop: StopSignal,
    make: () => Promise<CompressionOutcome>,
  ): Promise<CompressionOutcome> {
    const outcome = await this.#inTurn<CompressionOutcome>(stop, async () =>
      this.#hasChanged(state) ? { type: "overtaken" } : make(),
    );
    if (!outcome || stop.aborted) return { type: "stopped" };
    return this.#hasChanged(state) ? { type: "overtaken" } : outcome;
  }

  /** The timer's handler. @param isSpent The attempts are used up, each of which has crashed the object. */
  onTimer(isSpent: boolean): void {
    const { tables, openReply, tenant } = this.#session;
    const { inBackground } = this.#platform;
    const { requested } = tables.compression;
    const nextMs = Date.now() + COMPRESSION_CHECK_MS;
    if (this.#running || this.#beside) {
      tables.timers.putOff(COMPRESSION, nextMs);
      const counted = { reply_id: this.#beside?.job.summary_id ?? "", tokens: 0 };
      // The summary's lease may have ended with that of a reply.
      if (this.#beside) inBackground(tenant.checkBeside(counted));
    } else if (requested && openReply) {
      // The end of the reply sets it earlier; one that waits for an answer may do so for days.
      const waitMs = openReply.isRunning ? COMPRESSION_CHECK_MS : COMPRESSION_PARKED_MS;
      tables.timers.putOff(COMPRESSION, Date.now() + waitMs);
    } else if (isSpent) {
      this.#session.transaction(() => this.#giveUp(modelError("internal")));
    } else {
      tables.timers.begin(COMPRESSION.kind, Date.now());
      tables.timers.putOff(COMPRESSION, nextMs);
      inBackground(this.#begin());
    }
  }

  /** Makes the one that is due. The request that waits for it is asked for at the last moment. */
  #begin(): Promise<CompressionReport> {
    const { tables, newId } = this.#session;
    const { requested } = tables.compression;
    return this.run(
      requested
        ? { ...requested, isRequested: true }
        : { summary_id: newId("sum"), instructions: null, isRequested: false },
    );
  }

  /**
   * Makes a summary between replies, and stores it; one that is being made for a request is joined. Contract: never
   * rejects.
   */
  run(job: CompressionJob): Promise<CompressionReport> {
    if (this.#beside?.job.isRequested) return this.#beside.report;
    const report = this.#run(job).finally(() => {
      if (this.#beside?.report === report) this.#beside = null;
    });
    this.#beside = { job, report };
    return report;
  }

  async #run(job: CompressionJob): Promise<CompressionReport> {
    const { log, transaction, init } = this.#session;
    const report = await this.#tryMake(job);
    if (log.isClosed || log.hasFailed || report.type === "completed") return report;
    const settle = () => this.#settle(job, report);
    try {
      if (report.type === "failed" && report.used) {
        billCompression(this.#session, job.summary_id, report.used, settle);
        await log.settled();
        this.#platform.deliver();
      } else transaction(settle);
    } catch (error) {
      // The timer is set still: it is made again.
      console.error("the end of a compression could not be stored", {
        session_id: init.session_id,
        error: String(error),
      });
    }
    return report;
  }

  async #tryMake(job: CompressionJob): Promise<CompressionReport> {
    const { signal: stop } = this.#stop;
    try {
      // The attempt is on disk before it is made.
      await this.#session.sync();
      const made = await this.#inTurn(stop, () => this.#make(job, stop));
      return made ?? failed(STOPPED);
    } catch (error) {
      console.error("a compression has failed", {
        session_id: this.#session.init.session_id,
        error: String(error),
      });
      return failed(modelError("internal"));
    }
  }

  async #make(job: CompressionJob, stop: AbortSignal): Promise<CompressionReport> {
    const { tenant, log, tables } = this.#session;
    const restored = tables.restores.newest;
    this.#holdsLease = true;
    const admitted = await tenant.checkBeside({ reply_id: job.summary_id, tokens: 0 });
    if (!admitted.ok || stop.aborted || log.isClosed) this.#holdsLease = false;
    if (!admitted.ok) return { type: "refused", refusal: admitted.refusal };
    if (stop.aborted || log.isClosed) return failed(STOPPED);
    const { state, outcome } = await summariseBetweenReplies(
      this.#session,
      { ...job, env: this.#platform.env },
      stop,
    ).finally(() => (this.#holdsLease = false));
    if (stop.aborted || log.isClosed || outcome.type === "stopped") return failed(STOPPED);
    if (outcome.type === "refused") return outcome;
    if (outcome.type === "failed") {
      const trigger = job.isRequested ? "request" : "soft_threshold";
      const value = failedCompression({ trigger, reply_id: null }, outcome);
      return {
        ...failed(outcome.error),
        ...(value && { used: { value, cost_usd: outcome.cost_usd } }),
      };
    }
    const isSame = tables.restores.newest === restored && !this.#hasChanged(state);
    const hasResult = outcome.type === "compressed" && isSame;
    return hasResult ? this.#commit(job, outcome) : { type: "nothing" };
  }

  /** One commit: the event, its usage, and that nothing is due any more. */
  async #commit(
    job: CompressionJob,
    { value, cost_usd }: Extract<CompressionOutcome, { type: "compressed" }>,
  ): Promise<CompressionReport> {
    const { log, tables, outbox, isActing } = this.#session;
    const { summary_id, model: model_name, usage } = value;
    const draft = { type: "CUSTOM", name: CONTEXT_COMPRESSED, value: { ...value } } as const;
    log.append([draft], {
      isLast: !isActing,
      write: (events) => {
        const seq = events.at(-1)?.seq ?? log.lastSeq;
        this.#finish(job);
        outbox.addUsage(summary_id, { model_name, usage, cost_usd }, seq);
        tables.timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
        job.write?.(seq);
      },
    });
    await log.settled();
    this.#platform.deliver();
    return { type: "completed", value };
  }

  /** Part of a transaction: one that has stored nothing is over. */
  #settle(job: CompressionJob, report: CompressionReport): void {
    if (report.type === "failed") this.#giveUp(report.error, job);
    else if (report.type === "refused") {
      this.#giveUp(errorOfRefusal(report.refusal), job);
    } else this.#finish(job);
  }

  /** Part of a transaction. Not made again before the next end of a reply, or the next request. */
  #giveUp(error: ErrorInfo, job?: CompressionJob): void {
    const { tables, init } = this.#session;
    console.warn("a summary could not be made", {
      tenant_id: init.tenant_id,
      session_id: init.session_id,
      error_type: error.type,
    });
    if (job && this.#isWaiting(job)) this.#finish(job);
    else {
      tables.compression.fail({ failed_at: new Date().toISOString(), error });
      tables.timers.clear(COMPRESSION);
    }
  }

  /** Part of a transaction. A request that came meanwhile still waits. */
  #finish(job: CompressionJob): void {
    const { compression, timers } = this.#session.tables;
    if (this.#isWaiting(job)) timers.set(COMPRESSION, Date.now());
    else {
      compression.clear();
      timers.clear(COMPRESSION);
    }
  }

  /** Whether a request waits for another one than this. */
  #isWaiting({ summary_id }: CompressionJob): boolean {
    const { requested } = this.#session.tables.compression;
    return requested !== null && requested.summary_id !== summary_id;
  }

  #hasChanged(state: ContextState): boolean {
    return this.#session.tables.abilities.read(CONTEXT_FOLD) !== state;
  }

  /** One at a time. Null when it was stopped before its turn. */
  async #inTurn<Value>(stop: StopSignal, make: () => Promise<Value>): Promise<Value | null> {
    // Looked at again after each wait, and taken without one.
    while (this.#running && !stop.aborted) await untilStopped(this.#running, stop);
    if (stop.aborted) return null;
    const made = make();
    const running = made.then(
      () => undefined,
      () => undefined,
    );
    this.#running = running;
    try {
      return await made;
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }
}

function failed(error: ErrorInfo): Extract<CompressionReport, { type: "failed" }> {
  return { type: "failed", error };
}
