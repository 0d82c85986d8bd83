// Begins replies, one at a time. A request that comes while a reply is open is refused, queued, or interrupts that
// reply, as it says. A request that starts at once goes before the queue; the queue continues when no start is under
// way.
import type { Reply } from "../../protocol/replies/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ReplyStart, SessionInit } from "../api/session-api.ts";
import type { MessageStage, Staging } from "../log/stage-messages.ts";
import { refuseModelOptions } from "../settings/chosen-models.ts";
import {
  matchKnownMessages,
  refuseConflict,
  type KnownMessages,
} from "../tables/known-messages.ts";
import type { RecordResult } from "../tables/once.ts";
import { inputMessages } from "../tables/reply-input.ts";
import type { QueuedReply } from "../tables/reply-queue-table.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";
import type { ActiveReply } from "./active-reply.ts";
import { admitReply } from "./admit-reply.ts";
import { enqueueReply, type EnqueueTarget } from "./enqueue-reply.ts";
import type { Outbox } from "./outbox.ts";
import { readQueued } from "./read-queued.ts";
import { readReply } from "./read-reply.ts";
import { refuseBusy, refuseRunning } from "./refuse-busy.ts";
import type { ReplyRunner } from "./reply-runner.ts";
import { runningRow, viewReply } from "./reply-view.ts";
import { startReply, type StartReplyOptions } from "./start-reply.ts";

const GONE = refuse("not_found", "there is no such session");

interface BeginOptions extends Omit<StartReplyOptions, "write" | "staged"> {
  readonly staging: Staging;
  /** The id that was made when the request came in; unused when other replies have begun since. */
  readonly id?: string;
}

interface StartOptions {
  readonly messages: readonly Msg[];
  /** Other starts or queued replies came first, though no reply is open at this moment. */
  readonly isBehindOthers: boolean;
  readonly staging: Staging;
  readonly recordResult: RecordResult<string>;
}

/** The session, as far as beginning its replies needs it. */
interface QueueSession extends EnqueueTarget {
  readonly outbox: Pick<Outbox, "addUsage">;
  readonly init: SessionInit;
  readonly active: ActiveReply | null;
  readonly openReply: ActiveReply | null;
  readonly tenant: Pick<SessionTenant, "admit">;
  readonly findMessage: (
    id: string,
  ) => { readonly message: Msg; readonly reply_id: string | null } | null;
}

interface QueueParts {
  readonly runner: ReplyRunner;
  readonly stage: MessageStage;
  /** Keeps the object in memory until the work is done. */
  readonly inBackground: (work: Promise<unknown>) => void;
}

export class ReplyQueue {
  readonly #session: QueueSession;
  readonly #runner: ReplyRunner;
  readonly #stage: MessageStage;
  readonly #inBackground: QueueParts["inBackground"];
  /** Starts that are under way: the queue waits for them. */
  #starting = 0;

  constructor(session: QueueSession, { runner, stage, inBackground }: QueueParts) {
    this.#session = session;
    this.#runner = runner;
    this.#stage = stage;
    this.#inBackground = inBackground;
  }

  get isStarting(): boolean {
    return this.#starting > 0;
  }

  /** Whether the next queued reply is about to begin. */
  get isQueueDue(): boolean {
    return !this.#session.openReply && this.#session.tables.queue.length > 0;
  }

  /** @param recordResult Part of the transaction with which the reply begins or is queued; gets its id. */
  async start(
    start: ReplyStart,
    recordResult: RecordResult<string> = () => undefined,
  ): Promise<Result<Reply>> {
    const { log, newId } = this.#session;
    if (log.isClosed) return GONE;
    const messages = inputMessages(start.input, {
      newMessageId: () => newId("msg"),
      created_at: new Date().toISOString(),
    });
    return this.aheadOfQueue((isBehindOthers, staging) =>
      this.#start(start, { messages, isBehindOthers, staging, recordResult }),
    );
  }

  /**
   * Keeps the queue waiting while `start` is under way. `start` gets whether others came first, and the staging for large
   * messages.
   */
  async aheadOfQueue<Value>(
    start: (isBehindOthers: boolean, staging: Staging) => Promise<Value>,
  ): Promise<Value> {
    const isBehindOthers = this.#starting > 0 || this.isQueueDue;
    const staging = this.#stage.open();
    this.#starting += 1;
    try {
      return await start(isBehindOthers, staging);
    } finally {
      staging.release();
      this.#starting -= 1;
      this.#inBackground(this.beginQueued());
    }
  }

  async #start(
    start: ReplyStart,
    { messages, isBehindOthers, staging, recordResult }: StartOptions,
  ): Promise<Result<Reply>> {
    const { log, tables, settings, newId } = this.#session;
    // Made now: replies that are queued while this one is admitted get greater ids, and begin later.
    const id = start.on_busy === "queue" ? newId("rep") : undefined;
    let isAdmitted = false;
    let isAgentFresh = false;
    for (let isFirstLook = true; ; isFirstLook = false) {
      if (log.isClosed) return GONE;
      const known = matchKnownMessages(messages, (id) => this.#session.findMessage(id));
      if ("conflict" in known) {
        const index = Array.isArray(start.input) ? `/${known.conflict}` : "";
        return refuseConflict(messages[known.conflict]?.id ?? "", `#/input${index}/id`);
      }
      // A repeated request, whose response was lost: it gets the reply that it started or queued, from its beginning,
      // also while that reply runs, and never interrupts it.
      const answered = known.fresh.length === 0 && this.#find(known.replyId);
      if (answered) {
        recordResult(answered.id);
        return accept(answered);
      }
      const refused = refuseModelOptions(settings.init, start.model_options);
      if (refused) return refused;
      const { openReply: open, active } = this.#session;
      const isBehind = isFirstLook && isBehindOthers;
      if (start.on_busy === "queue" && (open || isBehind))
        return enqueueReply(this.#session, known, start, recordResult);
      if (start.on_busy === "reject") {
        const next = isBehind ? tables.queue.firstToRun() : null;
        if (open) return refuseBusy(open, tables.calls);
        if (next) return refuseRunning(next.id);
      }
      // Before the open reply is interrupted: a request that is refused must leave it running.
      if (open && !isAdmitted) {
        const admitted = await this.#session.tenant.admit(start.share);
        if (!admitted.ok) return admitted;
        isAdmitted = true;
      } else if (open) await this.#runner.interrupt();
      // One reply at a time, also on disk: the last one is complete when the next one starts.
      else if (active && !active.isSettled) await active.settled;
      else if (!isAgentFresh) {
        if (isAdmitted) await settings.followLatest();
        else {
          const admitted = await admitReply(this.#session, start.share);
          if (!admitted.ok) return admitted;
        }
        isAgentFresh = true;
      } else if (staging.isDue(known.fresh)) await staging.stage(known.fresh, 1);
      else return this.begin(known, { ...start, staging, id }, recordResult);
    }
  }

  /**
   * Begins the next queued reply, unless a reply is open or is being started; it is called again when that is over.
   * Resolves when a reply has begun, or when none is queued and the end of the last one is on disk.
   */
  async beginQueued(): Promise<void> {
    const { log, tables, settings } = this.#session;
    let isAgentFresh = false;
    for (;;) {
      if (log.isClosed || this.#starting > 0 || this.#session.openReply) return;
      const { active } = this.#session;
      const isEnding = active !== null && !active.isSettled;
      const next = isEnding ? null : tables.queue.first();
      if (isEnding) await active.settled;
      else if (!next) return;
      else if (isAgentFresh || next.status === "interrupted") {
        if (await this.#countBegin(next)) await this.#beginNext(next);
        isAgentFresh = false;
      } else {
        await settings.followLatest();
        isAgentFresh = true;
      }
    }
  }

  /** A reply in its durable state. @param waitMs How long to wait for it to end or park; 0 returns at once. */
  read(replyId: string, waitMs: number): Promise<Result<Reply>> {
    return readReply(this.#session, { replyId, waitMs });
  }

  /** The watchdog timer's handler. */
  async runWatchdog(): Promise<void> {
    this.#runner.watch();
    await Promise.all([this.#runner.report(), this.beginQueued()]);
  }

  /** In the background: delivers the outbox to D1, and begins the next reply of the queue. */
  settle(): void {
    this.#inBackground(this.#runner.report());
    this.startNext();
  }

  /** In the background: begins the next reply of the queue when none is open. */
  startNext(): void {
    this.#inBackground(this.beginQueued());
  }

  #find(id: string | null): Reply | null {
    const { tables, settings } = this.#session;
    const found = id === null ? null : (tables.replies.find(id) ?? tables.queue.find(id));
    return found && viewReply(found, settings.init.session_id, null, tables.calls);
  }

  /**
   * Begins a reply. The caller has checked that none is open and that the last one's end is on disk. Resolves when it
   * is durable.
   * @param recordResult Part of the transaction; gets its id.
   */
  async begin(
    known: Pick<KnownMessages, "fresh" | "unclaimed">,
    { mark, client, trace, staging, id: earlyId = "", ...options }: BeginOptions,
    recordResult: RecordResult<string>,
  ): Promise<Result<Reply>> {
    const { log, tables, settings, newId } = this.#session;
    const isNewest = earlyId > (tables.replies.newest()?.id ?? "");
    const id = isNewest ? earlyId : newId("rep");
    const write = () => recordResult(id);
    const staged = staging.use(known.fresh);
    const { structured_schema, model_options, share, woken_by, a2a_depth, a2a } = options;
    const own = { structured_schema, model_options, share, woken_by, a2a_depth, a2a };
    const kept = { ...own, trace, mark, client, staged, write };
    startReply(this.#session, id, known, kept);
    const reply = this.#begunReply(id);
    await log.settled();
    if (log.isClosed) return GONE;
    if (!reply.isOver) this.#runner.begin(reply, trace);
    const row = runningRow(id, reply.startCursor, model_options);
    return accept(viewReply(row, settings.init.session_id, null, tables.calls));
  }

  /**
   * Counts the attempt on disk for a reply that an earlier incarnation has queued, in case beginning it crashes the
   * object. @returns false when another start came in between.
   */
  async #countBegin({ id, isLeft }: QueuedReply): Promise<boolean> {
    if (!isLeft) return true;
    const { log, tables } = this.#session;
    this.#session.transaction(() => tables.queue.begin(id));
    await this.#session.sync();
    if (log.isClosed) return false;
    const isFree = this.#starting === 0 && !this.#session.openReply;
    const isNext = isFree && (this.#session.active?.isSettled ?? true);
    if (isNext && tables.queue.first()?.id === id) return true;
    tables.queue.endBegin(id);
    return false;
  }

  async #beginNext(queued: QueuedReply): Promise<void> {
    const { log, tables } = this.#session;
    const { id } = queued;
    const start = readQueued(tables.queue, queued);
    if (!start) return;
    const { endedBy } = start;
    // No other message has got these ids since, so all of them should be new; a known one is not added twice.
    const fresh = start.messages.filter((message) => !tables.messages.find(message.id));
    const known = { fresh, unclaimed: start.unclaimed };
    const write = () => tables.queue.remove(id);
    const { structured_schema, model_options, trace, share, woken_by, a2a_depth, a2a } = start;
    const kept = { structured_schema, model_options, trace, share, woken_by, a2a_depth, a2a };
    startReply(this.#session, id, known, { ...kept, write });
    const reply = this.#begunReply(id);
    if (start.isUnreadable) return this.#runner.giveUp();
    if (endedBy) return void this.#runner.end(reply, endedBy);
    await log.settled();
    if (!log.isClosed && !reply.isOver) this.#runner.begin(reply, trace);
  }

  #begunReply(id: string): ActiveReply {
    const { active } = this.#session;
    if (active?.id !== id) throw new Error("a reply did not become active by its REPLY_START");
    return active;
  }
}
