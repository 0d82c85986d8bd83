// One session that exists: its log, its tables and the reply that runs or waits. It decides who may write; what
// a reply does is the loop's business, and how things look to clients is the views'.
import { closeReply } from "../agent/close-reply.ts";
import { modelError } from "../agent/model-error.ts";
import type { InterruptResult, Reply } from "../protocol/api/replies.ts";
import { accept, refuse, type Result } from "../protocol/errors.ts";
import type { EventDraft, LoggedEvent } from "../protocol/events.ts";
import { DEAD_MAN_MS } from "../protocol/limits.ts";
import type { Msg } from "../protocol/messages.ts";
import { deliverOutbox } from "../storage/outbox-storage.ts";
import { ActiveReply } from "./active-reply.ts";
import { MonotonicIds } from "./monotonic-ids.ts";
import { matchKnownMessages, refuseConflict } from "./known-messages.ts";
import { inputMessages } from "./reply-input.ts";
import { Outbox } from "./outbox.ts";
import { ReplyLog } from "./reply-log.ts";
import { runActiveReply } from "./reply-runner.ts";
import type { ReplyRow } from "./reply-table.ts";
import { pendingCalls, viewReply } from "./reply-view.ts";
import type { ReplyStart, SessionInit } from "./session-api.ts";
import { SessionLog } from "./session-log.ts";
import { SessionSettings } from "./session-settings.ts";
import { openSessionTables, type SessionTables } from "./session-tables.ts";
import { Subscribers } from "./subscribers.ts";

const WATCH = { kind: "watch", id: "session" } as const;

export class OpenSession {
  readonly settings: SessionSettings;
  readonly outbox: Outbox;
  readonly tables: SessionTables;
  readonly log: SessionLog;
  readonly subscribers = new Subscribers(() => this.log.wake());
  readonly #ids = new MonotonicIds();
  readonly #ctx: DurableObjectState;
  readonly #environment: string;
  #active: ActiveReply | null = null;

  constructor(ctx: DurableObjectState, env: Env, init: SessionInit) {
    const { sql } = ctx.storage;
    this.settings = new SessionSettings(sql, env, init);
    this.#ctx = ctx;
    this.#environment = env.ENVIRONMENT;
    this.tables = openSessionTables(ctx.storage);
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
    await this.settings.followLatest();
    const messages = inputMessages(start.input, {
      newMessageId: () => this.#ids.next("msg"),
      created_at: new Date().toISOString(),
    });
    for (;;) {
      const known = matchKnownMessages(messages, (id) => this.tables.messages.find(id));
      if ("conflict" in known) {
        const index = Array.isArray(start.input) ? `/${known.conflict}` : "";
        return refuseConflict(messages[known.conflict]?.id ?? "", `#/input${index}/id`);
      }
      // The same request again, its answer lost on the way: it gets the reply that it started, from its beginning,
      // also while that reply runs, and never interrupts it.
      const answered = known.fresh.length === 0 && this.#findReply(known.replyId);
      if (answered) return accept(viewReply(answered, this.init.session_id, null));
      const open = this.#openReply();
      if (!open) return accept(await this.#start(known.fresh));
      if (start.on_busy === "reject") return refuseBusy(open);
      await this.interrupt();
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
      return accept(this.#view(reply));
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
    this.#active?.fence();
    this.outbox.close();
    this.log.close();
  }

  #findReply(id: string | null): ReplyRow | null {
    return id === null ? null : this.tables.replies.find(id);
  }

  async #start(messages: readonly Msg[]): Promise<Reply> {
    const { session_id, agent } = this.init;
    const reply_id = this.#ids.next("rep");
    const drafts: EventDraft[] = [
      ...messages.map((message): EventDraft => {
        return { type: "CUSTOM", name: "message_added", value: { message } };
      }),
      { type: "REPLY_START", session_id, reply_id, name: agent.name, role: "assistant" },
    ];
    this.log.append(drafts, {
      write: (events) => this.#recordStart(reply_id, messages, events),
    });
    const reply = this.#active;
    if (reply?.id !== reply_id) throw new Error("a reply did not become active by its REPLY_START");
    await this.log.settled();
    this.#ctx.waitUntil(this.#run(reply));
    return viewReply(
      { ...reply, status: "running", start_cursor: reply.startCursor },
      session_id,
      null,
    );
  }

  #recordStart(reply_id: string, messages: readonly Msg[], events: readonly LoggedEvent[]): void {
    const start = events.at(-1);
    if (!start) return;
    messages.forEach((message, index) => {
      const position = events[index]?.seq ?? start.seq;
      this.tables.messages.put({ position, reply_id, message, cursor: position });
    });
    this.tables.replies.insert(reply_id, start.seq - 1, start.created_at);
    this.tables.timers.set(WATCH, Date.now() + DEAD_MAN_MS);
  }

  #run(reply: ActiveReply): Promise<void> {
    return runActiveReply(reply, {
      settings: this.settings,
      outbox: this.outbox,
      log: this.log,
      tables: this.tables,
      newId: (prefix) => this.#ids.next(prefix),
      environment: this.#environment,
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
    const isDelivered = await this.outbox.flush();
    if (isDelivered && !this.isRunning && !this.log.isClosed) this.tables.timers.clear(WATCH);
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
    const [start, ...events] = this.log.readEvents(row.start_cursor, Infinity);
    if (start?.type !== "REPLY_START") return;
    const reply = new ActiveReply(row, start);
    for (const event of events) reply.logged(event);
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

function refuseBusy(reply: ActiveReply): Result<never> {
  const pending = pendingCalls(reply.state.message);
  const extensions = { reply_id: reply.id, pending };
  if (reply.isRunning) {
    return refuse(
      "reply_running",
      `reply ${reply.id} is running; wait for its end, interrupt it, or send on_busy: "interrupt"`,
      { extensions },
    );
  }
  const ids = pending.map(({ tool_call }) => tool_call.id).join(", ");
  return refuse(
    "reply_awaiting",
    `reply ${reply.id} waits for an answer to ${ids}; answer it, interrupt it, or send on_busy: "interrupt"`,
    { extensions },
  );
}

async function withTimeout(promise: Promise<void>, timeoutMs: number): Promise<void> {
  if (timeoutMs === Infinity) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
