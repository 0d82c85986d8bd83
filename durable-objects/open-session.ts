// One session that exists: its log, its tables and the reply that runs or waits. It decides who may write; what
// a reply does is the loop's business, and how things look to clients is the views'.
import { closeReply } from "../agent/close-reply.ts";
import { modelError } from "../agent/model-error.ts";
import type { InterruptResult, Reply } from "../protocol/api/replies.ts";
import { accept, refuse, type Result } from "../protocol/errors.ts";
import type { EventDraft, LoggedEvent } from "../protocol/events.ts";
import { DEAD_MAN_MS } from "../protocol/limits.ts";
import type { Msg } from "../protocol/messages.ts";
import { structuredReplyMetadata } from "../protocol/structured-output.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import { deliverOutbox } from "../storage/outbox-storage.ts";
import { ActiveReply } from "./active-reply.ts";
import { MonotonicIds } from "./monotonic-ids.ts";
import { matchKnownMessages, refuseConflict } from "./known-messages.ts";
import type { StoredMessage } from "./message-table.ts";
import { inputMessages } from "./reply-input.ts";
import { Outbox } from "./outbox.ts";
import { refuseBusy } from "./refuse-busy.ts";
import { ReplyLog } from "./reply-log.ts";
import { runActiveReply } from "./reply-runner.ts";
import type { ReplyRow } from "./reply-table.ts";
import { viewReply } from "./reply-view.ts";
import type { ReplyStart, SessionInit } from "./session-api.ts";
import { SessionLog } from "./session-log.ts";
import { SessionSettings } from "./session-settings.ts";
import { openSessionTables, type SessionTables } from "./session-tables.ts";
import { Subscribers } from "./subscribers.ts";
import { withTimeout } from "./with-timeout.ts";

const GONE = refuse("not_found", "there is no such session");
const WATCH = { kind: "watch", id: "session" } as const;

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
      deliver: (entries) => deliverOutbox(env.DB, entries),
    });
    this.log = new SessionLog(ctx.storage, {
      logged: (event) => this.#logged(event),
      committed: (seq) => this.#active?.committed(seq),
      durable: (seq) => this.#durable(seq),
      failed: (error) => ctx.abort(`the session's log could not be written: ${String(error)}`),
    });
    this.#restore();
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

  async startReply(start: ReplyStart): Promise<Result<Reply>> {
    let isAgentFresh = false;
    const messages = inputMessages(start.input, {
      newMessageId: () => this.#ids.next("msg"),
      created_at: new Date().toISOString(),
    });
    for (;;) {
      if (this.log.isClosed) return GONE;
      const known = matchKnownMessages(messages, (id) => this.#findMessage(id));
      if ("conflict" in known) {
        const index = Array.isArray(start.input) ? `/${known.conflict}` : "";
        return refuseConflict(messages[known.conflict]?.id ?? "", `#/input${index}/id`);
      }
      // The same request again, its answer lost on the way: it gets the reply that it started, from its beginning,
      // also while that reply runs, and never interrupts it.
      const answered = known.fresh.length === 0 && this.#findReply(known.replyId);
      if (answered) return accept(viewReply(answered, this.init.session_id, null));
      const open = this.#openReply();
      if (open && start.on_busy === "reject") return refuseBusy(open);
      if (open) await this.interrupt();
      // One reply at a time, also on disk: whoever asks for the last one finds it whole.
      else if (this.#active && !this.#active.isAtRest) await this.#active.rest;
      else if (isAgentFresh) return this.#start(known.fresh, start);
      else {
        await this.settings.followLatest();
        isAgentFresh = true;
      }
    }
  }

  /** Resolves when `REPLY_END` is durable. */
  async interrupt(): Promise<InterruptResult> {
    const reply = this.#openReply();
    if (!reply) return { interrupted: false, reply: null };
    this.#endOpenReply(reply, "interrupted");
    await this.log.settled();
    return { interrupted: true, reply: this.#view(reply) };
  }

  async readReply(replyId: string, waitMs: number): Promise<Result<Reply>> {
    const reply = this.#active;
    if (reply?.id === replyId) {
      await withTimeout(reply.rest, reply.isRunning ? waitMs : Infinity);
      return this.log.isClosed ? GONE : accept(this.#view(reply));
    }
    const row = this.tables.replies.find(replyId);
    if (!row) return refuse("not_found", `there is no reply ${replyId} in this session`);
    return accept(viewReply(row, this.init.session_id, this.tables.messages.find(row.id)));
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
  #findMessage(id: string): Pick<StoredMessage, "message" | "reply_id"> | null {
    const reply = this.#active;
    if (reply?.id === id) return { message: reply.state.message, reply_id: id };
    return this.tables.messages.find(id);
  }

  async #start(
    messages: readonly Msg[],
    { trace, structured_schema }: ReplyStart,
  ): Promise<Result<Reply>> {
    const { session_id, agent } = this.init;
    const schema = structured_schema === undefined ? agent.structured_output : structured_schema;
    const metadata = schema ? structuredReplyMetadata(schema) : {};
    const reply_id = this.#ids.next("rep");
    const drafts: EventDraft[] = [
      ...messages.map((message): EventDraft => {
        return { type: "CUSTOM", name: "message_added", value: { message } };
      }),
      { type: "REPLY_START", session_id, reply_id, name: agent.name, role: "assistant", metadata },
    ];
    this.log.append(drafts, {
      write: (events) => this.#recordStart(reply_id, messages, events),
    });
    const reply = this.#active;
    if (reply?.id !== reply_id) throw new Error("a reply did not become active by its REPLY_START");
    await this.log.settled();
    if (this.log.isClosed) return GONE;
    this.#ctx.waitUntil(this.#run(reply, trace));
    const row = { id: reply_id, status: "running", start_cursor: reply.startCursor } as const;
    return accept(viewReply(row, session_id, null));
  }

  #recordStart(reply_id: string, messages: readonly Msg[], events: readonly LoggedEvent[]): void {
    const start = events.at(-1);
    if (!start) return;
    messages.forEach((message, index) => {
      const position = events[index]?.seq ?? start.seq;
      this.tables.messages.put({ position, reply_id, message, cursor: position });
    });
    const { agent_version, agent } = this.init;
    this.tables.replies.insert({
      id: reply_id,
      start_cursor: start.seq - 1,
      agent_version,
      model_name: agent.model.name,
      created_at: start.created_at,
    });
    this.tables.timers.set(WATCH, Date.now() + DEAD_MAN_MS);
  }

  #run(reply: ActiveReply, trace?: TraceContext): Promise<void> {
    return runActiveReply(reply, {
      settings: this.settings,
      outbox: this.outbox,
      log: this.log,
      tables: this.tables,
      newId: (prefix) => this.#ids.next(prefix),
      environment: this.#environment,
      trace,
    });
  }

  #openReply(): ActiveReply | null {
    return this.#active && !this.#active.isOver ? this.#active : null;
  }

  #endOpenReply(reply: ActiveReply, finished_reason: "interrupted" | "error"): void {
    reply.fence();
    this.tables.replies.setEpoch(reply.id, reply.epoch);
    const log = new ReplyLog(this, reply);
    const error = finished_reason === "error" ? modelError("internal") : undefined;
    const { session_id } = this.init;
    log.append(closeReply(reply.state, { session_id, finished_reason, error }));
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

  /** A reply that the last incarnation left open: one that waits goes on waiting, one that ran has lost its runner. */
  #restore(): void {
    const row = this.tables.replies.newest();
    if (
      !row ||
      !["running", "awaiting_permission", "awaiting_external_result"].includes(row.status)
    ) {
      return;
    }
    let reply: ActiveReply | null = null;
    for (const { item: event } of this.log.events(row.start_cursor)) {
      if (reply) reply.logged(event);
      else if (event.type === "REPLY_START") reply = new ActiveReply(row, event);
    }
    if (!reply) return;
    reply.committed(this.log.durableSeq);
    reply.durableUpTo(this.log.durableSeq);
    this.#active = reply;
    if (reply.isRunning) this.#endOpenReply(reply, "error");
  }

  #view(reply: ActiveReply): Reply {
    const { id, status, startCursor } = reply;
    return viewReply(
      { id, status, start_cursor: startCursor },
      this.init.session_id,
      reply.durable,
    );
  }
}
