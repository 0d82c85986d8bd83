// One session that exists: its log, its tables and the reply that runs or waits. It decides who may write; what
// a reply does is the loop's business, and how things look to clients is the views'.
import { closeReply } from "../../agent/state/close-reply.ts";
import { advanceReply } from "../../agent/state/reply-state.ts";
import type { InterruptResult, Reply } from "../../protocol/api/replies.ts";
import type { Result } from "../../protocol/errors.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/limits/recovery.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import { deliverEntries } from "../../storage/outbox/deliver-entries.ts";
import { ActiveReply } from "../reply/active-reply.ts";
import { stampEvent } from "../log/event-stamp.ts";
import { MonotonicIds } from "../log/monotonic-ids.ts";
import type { Keep } from "../tables/once.ts";
import type { StoredMessage } from "../tables/stored-message.ts";
import { Outbox } from "../reply/outbox.ts";
import { readReply } from "./read-reply.ts";
import { ReplyLog } from "../reply/reply-log.ts";
import { ReplyRuns } from "../reply/reply-runs.ts";
import { viewReply } from "../reply/reply-view.ts";
import type { ReplyStart, SessionInit } from "../api/session-api.ts";
import { ReplyStarter } from "../reply/reply-starter.ts";
import { SessionLog } from "../log/session-log.ts";
import { SessionSettings } from "../settings/session-settings.ts";
import { openSessionTables, type SessionTables } from "../tables/session-tables.ts";
import type { SessionTenant } from "../tenant/session-tenant.ts";
import { openTenant } from "./open-tenant.ts";
import { Subscribers } from "../streams/subscribers.ts";
import { takeUpReply } from "../reply/take-up-reply.ts";
import { WATCH } from "../tables/timers.ts";

/** What became of an interrupt, and the seq before its first event. */
interface Interruption extends InterruptResult {
  readonly cursor: number;
}

export class OpenSession {
  readonly settings: SessionSettings;
  readonly outbox: Outbox;
  readonly tables: SessionTables;
  readonly log: SessionLog;
  readonly subscribers: Subscribers;
  readonly tenant: SessionTenant;
  readonly #ids: MonotonicIds;
  readonly #ctx: DurableObjectState;
  readonly starter: ReplyStarter;
  readonly #runs: ReplyRuns;
  #active: ActiveReply | null = null;
  /** A caller knows that D1 lists the session, though its timer does not yet. */
  isListed = false;

  constructor(ctx: DurableObjectState, env: Env, init: SessionInit) {
    const { sql } = ctx.storage;
    this.settings = new SessionSettings(sql, env, init);
    this.#ctx = ctx;
    this.tables = openSessionTables(ctx.storage);
    this.#ids = new MonotonicIds(this.tables.replies.newest()?.id, this.tables.queue.newestId);
    this.tenant = openTenant(env, this, (work) => ctx.waitUntil(work));
    this.subscribers = new Subscribers(
      () => this.log.wake(),
      () => this.tenant.noteReader(),
    );
    this.outbox = new Outbox(sql, {
      settings: this.settings,
      tables: this.tables,
      deliver: async (entries) => {
        // Whoever is about to begin has its lease already.
        const isStarting = this.starter.isStarting && this.tenant.isAdmitted;
        const settled = this.tenant.settle(entries, this.isActing || isStarting);
        await Promise.all([deliverEntries(env, entries), settled]);
      },
      sync: () => ctx.storage.sync(),
    });
    this.log = new SessionLog(ctx.storage, {
      logged: (event) => this.#logged(event),
      committed: (seq) => this.#active?.committed(seq),
      durable: (seq) => this.#durable(seq),
      failed: (error) => ctx.abort(`the session's log could not be written: ${String(error)}`),
    });
    this.#runs = new ReplyRuns(
      {
        settings: this.settings,
        outbox: this.outbox,
        log: this.log,
        tables: this.tables,
        newId: this.newId,
        env,
        tenant: this.tenant,
      },
      (work) => ctx.waitUntil(work),
    );
    this.starter = new ReplyStarter(this, {
      storage: ctx.storage,
      interrupt: () => this.interrupt(),
      endAtOnce: (reply, accepted) => void this.#endOpenReply(reply, accepted),
      giveUp: () => this.giveUp(),
      run: (reply, trace) => this.#runs.start(reply, { trace }),
      inBackground: (work) => ctx.waitUntil(work),
    });
  }

  /**
   * Takes up what the last incarnation has left. Nobody else gets at the session before that is done.
   * @param isRemains Its settings are lost: what is open is ended, and nothing begins.
   */
  async wake(isRemains = false): Promise<void> {
    const { replies, timers } = this.tables;
    const left = replies.open() ?? replies.newestUnknown();
    if (isRemains) this.outbox.close();
    await timers.restore();
    if (left) {
      await takeUpReply(this, left, {
        canResume: !isRemains && !this.settings.isReplyInitLost,
        storage: this.#ctx.storage,
        activate: (reply) => (this.#active = reply),
        recover: (reply) => this.#runs.recover(reply),
      });
    }
    if (this.log.isClosed || isRemains) return;
    // What it was ended with is news for D1.
    if (left && !this.openReply) this.#ctx.waitUntil(this.#report());
    this.#ctx.waitUntil(this.starter.goOn());
  }

  get init(): SessionInit {
    return this.settings.init;
  }

  /** The reply that runs or waits, or whose end is not on disk yet. */
  get active(): ActiveReply | null {
    return this.#active;
  }

  get isRunning(): boolean {
    return this.#active?.isRunning ?? false;
  }

  /** Whether a reply runs, or the next one of the queue is about to. */
  get isActing(): boolean {
    return this.isRunning || this.starter.isQueueDue;
  }

  /** The reply that runs or waits. */
  get openReply(): ActiveReply | null {
    return this.#active && !this.#active.isOver ? this.#active : null;
  }

  /** Bound: it is handed on by itself. */
  readonly newId = <Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` =>
    this.#ids.next(prefix);

  /** @param keep Part of the transaction with which the reply begins or is queued; gets its id. */
  startReply(start: ReplyStart, keep?: Keep<string>): Promise<Result<Reply>> {
    return this.starter.start(start, keep);
  }

  /**
   * Resolves when `REPLY_END` is durable. @param accepted What asked for it, or came with that. @param write Part of the
   * same transaction.
   */
  async interrupt(
    accepted: readonly EventDraft[] = [],
    write?: (events: readonly LoggedEvent[]) => void,
  ): Promise<Interruption> {
    const reply = this.openReply;
    if (!reply) return { interrupted: false, reply: null, cursor: this.log.visibleSeq };
    const [first] = this.#endOpenReply(reply, accepted, write);
    await this.log.settled();
    return { interrupted: true, reply: this.view(reply), cursor: (first?.seq ?? 1) - 1 };
  }

  /**
   * Appends what somebody outside has brought to the open reply, and lets it go on. @param write Part of the same
   * transaction. @param trace Goes with what the reply sends out from here on, when it had waited.
   */
  take(
    reply: ActiveReply,
    drafts: readonly EventDraft[],
    write: (events: readonly LoggedEvent[]) => void,
    trace?: TraceContext,
  ): readonly LoggedEvent[] {
    // One that runs finds the answer at its next step.
    const hasWaited = !reply.isRunning;
    if (hasWaited) reply.resume();
    const events = new ReplyLog(this, reply).appendAnswer(drafts, write, trace);
    this.#ctx.waitUntil(this.#goOn(reply, hasWaited, trace));
    return events;
  }

  readReply(replyId: string, waitMs: number): Promise<Result<Reply>> {
    return readReply(this, replyId, waitMs);
  }

  /** Ends the open reply with an error: what is to be done for it cannot be done. */
  giveUp(): void {
    if (this.openReply) this.#runs.giveUp(this.openReply);
  }

  /** What the watch timer is for: armed anew before anything is done, and cleared when there is nothing to watch. */
  async watch(): Promise<void> {
    const delayMs = this.isActing ? WATCHDOG_INTERVAL_MS : this.outbox.retryDelayMs;
    this.tables.timers.set(WATCH, Date.now() + delayMs);
    if (this.#active?.isRunning) {
      this.#runs.attend(this.#active);
      this.#ctx.waitUntil(this.tenant.renew(this.#active.counted));
    }
    await Promise.all([this.#report(), this.starter.goOn()]);
  }

  /** All that `write` writes, or nothing of it. */
  transaction<Value>(write: () => Value): Value {
    return this.#ctx.storage.transactionSync(write);
  }

  /** Stops everything, writes nothing more. The caller erases the storage. */
  close(): void {
    this.#active?.abandon();
    this.outbox.close();
    this.log.close();
    this.tables.queue.wake();
  }

  /** A message of the conversation, the one that is being made, or one that waits for its turn. */
  findMessage(id: string): Pick<StoredMessage, "message" | "reply_id"> | null {
    const reply = this.#active;
    if (reply?.id === id) return { message: reply.state.message, reply_id: id };
    return this.tables.messages.find(id) ?? this.starter.findMessage(id);
  }

  async #goOn(reply: ActiveReply, hasWaited: boolean, trace?: TraceContext): Promise<void> {
    if (hasWaited) this.#runs.start(reply, { trace });
    await this.log.settled();
    await this.#report();
  }

  #endOpenReply(
    reply: ActiveReply,
    accepted: readonly EventDraft[] = [],
    write?: (events: readonly LoggedEvent[]) => void,
  ): readonly LoggedEvent[] {
    reply.fence();
    this.tables.replies.setEpoch(reply.id, reply.epoch);
    const log = new ReplyLog(this, reply);
    const { session_id } = this.init;
    // What is accepted may end some of its calls.
    const at = new Date().toISOString();
    const state = accepted.reduce(
      (before, draft) => advanceReply(before, stampEvent(draft, 0, at)),
      reply.state,
    );
    const closing = closeReply(state, { session_id, finished_reason: "interrupted" });
    return log.append([...accepted, ...closing], write);
  }

  #durable(seq: number): void {
    const reply = this.#active;
    reply?.durableUpTo(seq);
    // A rest of the reply is news for D1; nobody waits for that.
    if (reply?.endSeq !== seq) return;
    this.#ctx.waitUntil(this.#report());
    this.#ctx.waitUntil(this.starter.goOn());
  }

  /** Tells D1 what it has not heard, and ends the watch when nothing is left to watch. */
  async #report(): Promise<void> {
    await this.outbox.flush();
    // Asked in the same turn as the timer is cleared: another reply may have ended since.
    if (this.log.isClosed || this.isActing || !this.outbox.isEmpty) return;
    // One that is not going to run still has to begin, so that it ends; behind an open one it waits for that.
    const isQueueOver = this.openReply !== null || this.tables.queue.first() === null;
    if (isQueueOver) this.tables.timers.clear(WATCH);
  }

  #logged(event: LoggedEvent): void {
    if (event.type === "REPLY_START") {
      this.#active = new ActiveReply(
        {
          id: event.reply_id,
          epoch: 1,
          status: "running",
          start_cursor: event.seq - 1,
          end_seq: null,
        },
        event,
      );
      return;
    }
    this.#active?.logged(event);
  }

  view(reply: ActiveReply): Reply {
    const { id, status, startCursor } = reply;
    const row = { id, status, start_cursor: startCursor };
    return viewReply(row, this.init.session_id, reply.durable, this.tables.calls);
  }
}
