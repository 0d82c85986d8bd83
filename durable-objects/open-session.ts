// One session that exists: its log, its tables and the reply that runs or waits. It decides who may write; what
// a reply does is the loop's business, and how things look to clients is the views'.
import { closeReply } from "../agent/close-reply.ts";
import { modelError } from "../agent/model-error.ts";
import type { InterruptResult, Reply } from "../protocol/api/replies.ts";
import { accept, refuse, type Result } from "../protocol/errors.ts";
import type { EventDraft, LoggedEvent } from "../protocol/events.ts";
import type { IdPrefix } from "../protocol/ids.ts";
import { DEAD_MAN_MS } from "../protocol/limits.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import { deliverEntries } from "../storage/deliver-entries.ts";
import { ActiveReply } from "./active-reply.ts";
import { MonotonicIds } from "./monotonic-ids.ts";
import { matchKnownMessages, refuseConflict, type KnownMessages } from "./known-messages.ts";
import type { StoredMessage } from "./message-table.ts";
import { inputMessages } from "./reply-input.ts";
import { Outbox } from "./outbox.ts";
import { refuseBusy } from "./refuse-busy.ts";
import { ReplyLog } from "./reply-log.ts";
import { runActiveReply } from "./reply-runner.ts";
import { restoreReply } from "./restore-reply.ts";
import type { ReplyRow } from "./reply-table.ts";
import { viewReply } from "./reply-view.ts";
import type { ReplyStart, SessionInit } from "./session-api.ts";
import { SessionLog } from "./session-log.ts";
import { SessionSettings } from "./session-settings.ts";
import { openSessionTables, type SessionTables } from "./session-tables.ts";
import { startReply } from "./start-reply.ts";
import { Subscribers } from "./subscribers.ts";
import { WATCH } from "./timers.ts";
import { withTimeout } from "./with-timeout.ts";

const GONE = refuse("not_found", "there is no such session");

/** What became of an interrupt, and the seq before its first event. */
interface Interruption extends InterruptResult {
  readonly cursor: number;
}

export class OpenSession {
  readonly settings: SessionSettings;
  readonly outbox: Outbox;
  readonly tables: SessionTables;
  readonly log: SessionLog;
  readonly subscribers = new Subscribers(() => this.log.wake());
  readonly #ids: MonotonicIds;
  readonly #ctx: DurableObjectState;
  readonly #environment: string;
  #active: ActiveReply | null = null;

  constructor(ctx: DurableObjectState, env: Env, init: SessionInit) {
    const { sql } = ctx.storage;
    this.settings = new SessionSettings(sql, env, init);
    this.#ctx = ctx;
    this.#environment = env.ENVIRONMENT;
    this.tables = openSessionTables(ctx.storage);
    this.#ids = new MonotonicIds(this.tables.replies.newest()?.id);
    this.outbox = new Outbox(sql, {
      settings: this.settings,
      tables: this.tables,
      deliver: (entries) => deliverEntries(env, entries),
    });
    this.log = new SessionLog(ctx.storage, {
      logged: (event) => this.#logged(event),
      committed: (seq) => this.#active?.committed(seq),
      durable: (seq) => this.#durable(seq),
      failed: (error) => ctx.abort(`the session's log could not be written: ${String(error)}`),
    });
    this.#active = restoreReply(this);
    // One that waits goes on waiting; one that ran has lost its runner.
    if (this.#active?.isRunning) this.#endOpenReply(this.#active, "error");
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

  /** The reply that runs or waits. */
  get openReply(): ActiveReply | null {
    return this.#active && !this.#active.isOver ? this.#active : null;
  }

  /** Bound: it is handed on by itself. */
  readonly newId = <Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` =>
    this.#ids.next(prefix);

  async startReply(start: ReplyStart): Promise<Result<Reply>> {
    let isAgentFresh = false;
    const messages = inputMessages(start.input, {
      newMessageId: () => this.#ids.next("msg"),
      created_at: new Date().toISOString(),
    });
    for (;;) {
      if (this.log.isClosed) return GONE;
      const known = matchKnownMessages(messages, (id) => this.findMessage(id));
      if ("conflict" in known) {
        const index = Array.isArray(start.input) ? `/${known.conflict}` : "";
        return refuseConflict(messages[known.conflict]?.id ?? "", `#/input${index}/id`);
      }
      // The same request again, its answer lost on the way: it gets the reply that it started, from its beginning,
      // also while that reply runs, and never interrupts it.
      const answered = known.fresh.length === 0 && this.#findReply(known.replyId);
      if (answered)
        return accept(viewReply(answered, this.init.session_id, null, this.tables.calls));
      const open = this.openReply;
      if (open && start.on_busy === "reject") return refuseBusy(open, this.tables.calls);
      if (open) await this.interrupt();
      // One reply at a time, also on disk: whoever asks for the last one finds it whole.
      else if (this.#active && !this.#active.isAtRest) await this.#active.rest;
      else if (isAgentFresh) return this.#start(known, start);
      else {
        await this.settings.followLatest();
        isAgentFresh = true;
      }
    }
  }

  /** Resolves when `REPLY_END` is durable. @param accepted The event that asked for it. */
  async interrupt(accepted: readonly EventDraft[] = []): Promise<Interruption> {
    const reply = this.openReply;
    if (!reply) return { interrupted: false, reply: null, cursor: this.log.visibleSeq };
    const [first] = this.#endOpenReply(reply, "interrupted", accepted);
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
    const events = new ReplyLog(this, reply).appendAnswer(drafts, write);
    this.#ctx.waitUntil(this.#goOn(reply, hasWaited, trace));
    return events;
  }

  async readReply(replyId: string, waitMs: number): Promise<Result<Reply>> {
    const reply = this.#active;
    if (reply?.id === replyId) {
      if (reply.isRunning) await withTimeout(reply.rest, waitMs);
      // What is shown of a rest is on disk; one that is answered at this moment is no rest any more.
      if (!reply.isRunning) await this.log.settled();
      return this.log.isClosed ? GONE : accept(this.view(reply));
    }
    const row = this.tables.replies.find(replyId);
    if (!row) return refuse("not_found", `there is no reply ${replyId} in this session`);
    const folded = this.tables.messages.find(row.id);
    return accept(viewReply(row, this.init.session_id, folded, this.tables.calls));
  }

  /** What the watch timer is for: armed anew before anything is done, and cleared when there is nothing to watch. */
  async watch(): Promise<void> {
    const delayMs = this.isRunning ? DEAD_MAN_MS : this.outbox.retryDelayMs;
    this.tables.timers.set(WATCH, Date.now() + delayMs);
    await this.#report();
  }

  /** Stops everything, writes nothing more. The caller erases the storage. */
  close(): void {
    this.#active?.abandon();
    this.outbox.close();
    this.log.close();
  }

  #findReply(id: string | null): ReplyRow | null {
    return id === null ? null : this.tables.replies.find(id);
  }

  /** A message of the conversation, or the one that is being made. */
  findMessage(id: string): Pick<StoredMessage, "message" | "reply_id"> | null {
    const reply = this.#active;
    if (reply?.id === id) return { message: reply.state.message, reply_id: id };
    return this.tables.messages.find(id);
  }

  async #start(
    known: KnownMessages,
    { trace, structured_schema }: ReplyStart,
  ): Promise<Result<Reply>> {
    const reply_id = this.#ids.next("rep");
    startReply(this, reply_id, known, structured_schema);
    const reply = this.#active;
    if (reply?.id !== reply_id) throw new Error("a reply did not become active by its REPLY_START");
    await this.log.settled();
    if (this.log.isClosed) return GONE;
    this.#ctx.waitUntil(this.#run(reply, trace));
    const row = { id: reply_id, status: "running", start_cursor: reply.startCursor } as const;
    return accept(viewReply(row, this.init.session_id, null, this.tables.calls));
  }

  async #goOn(reply: ActiveReply, hasWaited: boolean, trace?: TraceContext): Promise<void> {
    const { epoch } = reply;
    await this.log.settled();
    const isTaken = this.log.isClosed || reply.epoch !== epoch;
    await Promise.all([this.#report(), hasWaited && !isTaken && this.#run(reply, trace)]);
  }

  #run(reply: ActiveReply, trace?: TraceContext): Promise<void> {
    return runActiveReply(reply, {
      settings: this.settings,
      outbox: this.outbox,
      log: this.log,
      tables: this.tables,
      newId: (prefix) => this.newId(prefix),
      environment: this.#environment,
      trace,
    });
  }

  #endOpenReply(
    reply: ActiveReply,
    finished_reason: "interrupted" | "error",
    accepted: readonly EventDraft[] = [],
  ): readonly LoggedEvent[] {
    reply.fence();
    this.tables.replies.setEpoch(reply.id, reply.epoch);
    const log = new ReplyLog(this, reply);
    const error = finished_reason === "error" ? modelError("internal") : undefined;
    const { session_id } = this.init;
    const closing = closeReply(reply.state, { session_id, finished_reason, error });
    return log.append([...accepted, ...closing]);
  }

  #durable(seq: number): void {
    const reply = this.#active;
    reply?.durableUpTo(seq);
    // A rest of the reply is news for D1; nobody waits for that.
    if (reply?.endSeq === seq) this.#ctx.waitUntil(this.#report());
  }

  /** Tells D1 what it has not heard, and ends the watch when nothing is left to watch. */
  async #report(): Promise<void> {
    await this.outbox.flush();
    // Asked in the same turn as the timer is cleared: another reply may have ended since.
    const isIdle = !this.log.isClosed && !this.isRunning && this.outbox.isEmpty;
    if (isIdle) this.tables.timers.clear(WATCH);
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
    return viewReply(
      { id, status, start_cursor: startCursor },
      this.init.session_id,
      reply.durable,
      this.tables.calls,
    );
  }
}
