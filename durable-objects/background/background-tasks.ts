// Background tasks of a session: what ends them, and the replies that their ends begin. The log has their begin and end,
// the table what is between; in memory are the requests that are open, and with them their tasks are lost.
import { failedOutcome, taskHint, type TaskOutcome } from "../../agent/background/task-outcome.ts";
import {
  BACKGROUND_TASK_ENDED,
  endedTaskOf,
  type BackgroundTaskEndedValue,
} from "../../protocol/background/events.ts";
import {
  HELD_LOOK_MS,
  MAX_HELD_REQUESTS,
  MAX_WAKE_RETRY_MS,
  MAX_WORKING_TASKS,
  WAKE_RETRY_MS,
} from "../../protocol/background/limits.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ToolAnswer } from "../../tools/answer-shape.ts";
import { beginWithHint } from "../replies/begin-with-hint.ts";
import { startedDepth } from "../replies/started-depth.ts";
import { tellRoom } from "../replies/tell-room.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { Outbox } from "../replies/outbox.ts";
import type { ReplyQueue } from "../replies/reply-queue.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { StoredTask } from "../tables/background-table.ts";
import { WAKE } from "../tables/timers.ts";

export interface BackgroundSession {
  readonly init: SessionInit;
  /** Whether a reply runs, or the next one of the queue is about to. */
  readonly isActing: boolean;
  readonly log: SessionLog;
  readonly newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  readonly outbox: Pick<Outbox, "growth">;
  readonly queue: Pick<ReplyQueue, "start">;
  readonly sync: () => Promise<void>;
  readonly tables: SessionTables;
  readonly transaction: <Value>(write: () => Value) => Value;
}

export interface BackgroundPlatform {
  readonly env: Env;
  /** Keeps the object in memory until the work is done. */
  readonly inBackground: (work: Promise<unknown>) => void;
}

interface EndOptions {
  /** Of the result that was posted. */
  readonly fingerprint?: string;
  /** Why there is no result. */
  readonly message?: string;
}

const LOST =
  "The connection to the tool was lost with the machine that held it, so the outcome of the task is unknown: it may have taken effect. Find out before you call the tool again.";
const LATE = "The tool has posted no result in time. It is not known whether it has done its work.";

export class BackgroundTasks {
  readonly #session: BackgroundSession;
  readonly #platform: BackgroundPlatform;
  /** Open requests of tasks, each with what closes it. */
  readonly #held = new Map<string, () => void>();
  /** Calls that are not let go, by the ids that their tasks would have. */
  readonly #attached = new Map<string, (answer: ToolAnswer) => void>();
  #delivery: Promise<void> | null = null;

  constructor(session: BackgroundSession, platform: BackgroundPlatform) {
    this.#session = session;
    this.#platform = platform;
  }

  get inBackground(): BackgroundPlatform["inBackground"] {
    return this.#platform.inBackground;
  }

  /** Lets a call know of a result that is posted. */
  attach(id: string, posted: (answer: ToolAnswer) => void): void {
    this.#attached.set(id, posted);
  }

  detach(id: string): void {
    this.#attached.delete(id);
    if (!this.#session.log.isClosed) this.#session.tables.background.detach(id);
  }

  /**
   * Gives a result that was posted to the call that waits for it. One whose machine was lost finds it when it goes on.
   * @returns false when none does: it was let go, or has ended.
   */
  answer(id: string, answer: ToolAnswer, fingerprint: string): boolean {
    const { tables, transaction } = this.#session;
    if (tables.background.find(id)?.status !== "attached") return false;
    transaction(() => tables.background.keepAnswer(id, fingerprint, answer));
    this.#attached.get(id)?.(answer);
    return true;
  }

  /** The reason that no further call can be let go; null when one can. */
  refusal(waitsFor: StoredTask["waits_for"]): string | null {
    const working = this.#session.tables.background.working();
    const held = working.filter(({ waits_for }) => waits_for === "request").length;
    if (working.length >= MAX_WORKING_TASKS) {
      return `The tool works on, but this conversation has ${MAX_WORKING_TASKS} background tasks already, so its result will not be known.`;
    }
    if (waitsFor !== "request" || held < MAX_HELD_REQUESTS) return null;
    return `The tool has not answered in time, and this conversation holds ${MAX_HELD_REQUESTS} requests in the background already: the request was closed, and it is not known whether the tool has done its work. Wait until one of the tasks has ended, or stop one.`;
  }

  /** The request of a task that works is open. @param stop Closes it. */
  hold(id: string, stop: () => void): void {
    if (this.#session.tables.background.find(id)?.status === "working") this.#held.set(id, stop);
    else stop();
  }

  /** The request has ended. */
  release(id: string): void {
    this.#held.delete(id);
  }

  /**
   * Ends a task that works, in one commit with the message that begins a reply. Resolves when that is on disk.
   * @returns that message; null when it has ended already.
   */
  async end(
    id: string,
    outcome: TaskOutcome,
    { fingerprint, message }: EndOptions = {},
  ): Promise<Msg | null> {
    const { log, tables, newId, outbox } = this.#session;
    const task = log.isClosed ? null : tables.background.find(id);
    if (task?.status !== "working") return null;
    const hint = taskHint({ ...task, task_id: id }, outcome, {
      id: newId("msg"),
      now: new Date().toISOString(),
    });
    const ending = {
      status: outcome.state === "success" ? "completed" : "failed",
      message: message ?? null,
      stopped_by: null,
      paused: tables.background.isPaused,
    } as const;
    outbox.growth.expect();
    this.#append(task, ending, () => {
      if (fingerprint !== undefined) tables.background.noteFingerprint(id, fingerprint);
      tables.background.expectWake(id, hint);
    });
    await log.settled();
    this.#deliverSoon();
    return hint;
  }

  /** Stops a task that works: it begins no reply. Resolves when that is on disk. */
  async stop(task: StoredTask): Promise<void> {
    const message = "It was stopped by a person.";
    this.#append(task, { status: "cancelled", message, stopped_by: "person", paused: false });
    await this.#session.log.settled();
  }

  /** Called for every event: a task that has ended needs no request any more. */
  logged(event: LoggedEvent): void {
    if (event.type !== "CUSTOM" || event.name !== BACKGROUND_TASK_ENDED) return;
    const id = endedTaskOf(event)?.task_id ?? "";
    const stop = this.#held.get(id);
    this.#held.delete(id);
    stop?.();
  }

  /** The alarm's handler. */
  onTimer(): void {
    const { timers, background } = this.#session.tables;
    const nowMs = Date.now();
    for (const timer of timers.due(nowMs)) {
      if (timer.kind !== "background") continue;
      const task = timer.id === WAKE.id ? null : background.find(timer.id);
      if (timer.id === WAKE.id) {
        timers.set(timer, nowMs + WAKE_RETRY_MS);
        this.#deliverSoon();
      } else if (task?.status !== "working") timers.clear(timer);
      else if (task.waits_for === "request" && this.#held.has(task.id)) {
        // The look itself keeps the object awake.
        timers.set(timer, nowMs + HELD_LOOK_MS);
      } else if (task.waits_for === "callback" && nowMs < task.expires_at) {
        timers.set(timer, task.expires_at);
      } else this.#endWithoutResult(task);
    }
  }

  /** Closes all requests: the session is erased. */
  close(): void {
    for (const stop of this.#held.values()) stop();
    this.#held.clear();
    this.#attached.clear();
  }

  #endWithoutResult({ id, waits_for }: StoredTask): void {
    const text = waits_for === "request" ? LOST : LATE;
    const message =
      waits_for === "request"
        ? "Its request was lost with its machine: the outcome is unknown."
        : "No result was posted in time.";
    this.#platform.inBackground(this.end(id, failedOutcome(text), { message }));
  }

  #append(
    { id: task_id, reply_id, tool_call_id, tool_name }: StoredTask,
    ending: Pick<BackgroundTaskEndedValue, "status" | "message" | "stopped_by" | "paused">,
    write: () => void = () => undefined,
  ): void {
    const { log, isActing } = this.#session;
    const value: BackgroundTaskEndedValue = {
      task_id,
      reply_id,
      tool_call_id,
      tool_name,
      ...ending,
    };
    log.append([{ type: "CUSTOM", name: BACKGROUND_TASK_ENDED, value: { ...value } }], {
      isLast: !isActing,
      write,
    });
  }

  #deliverSoon(): void {
    this.#delivery ??= this.#deliver().finally(() => {
      this.#delivery = null;
    });
    this.#platform.inBackground(this.#delivery);
  }

  /** Begins or queues a reply for each end that is due. The timer tries again what cannot begin now. */
  async #deliver(): Promise<void> {
    const { log, tables } = this.#session;
    for (;;) {
      if (log.isClosed) return;
      const task = tables.background.nextDue();
      if (!task) return tables.timers.clear(WAKE);
      const { init } = this.#session;
      // The end is a turn, which the room orders.
      if (init.room) await tellRoom(this.#platform.env, init);
      else if (await this.#wake(task)) continue;
      if (log.isClosed) return;
      const nowMs = Date.now();
      const sinceMs = nowMs - (task.ended_at ?? nowMs);
      const waitMs = Math.min(Math.max(sinceMs, WAKE_RETRY_MS), MAX_WAKE_RETRY_MS);
      return tables.timers.set(WAKE, nowMs + waitMs);
    }
  }

  async #wake({ id, reply_id }: StoredTask): Promise<boolean> {
    const { tables, transaction } = this.#session;
    const { background } = tables;
    const message = background.kept(id) as Msg | null;
    if (!message) {
      transaction(() => background.giveUpWake(id));
      return true;
    }
    const share = tables.replies.share(reply_id);
    try {
      const a2a_depth = startedDepth(this.#session, reply_id);
      const waking = { message, woken_by: id, share, a2a_depth };
      const begun = await beginWithHint(this.#session, waking, (replyId) =>
        background.woken(id, replyId),
      );
      return begun.ok;
    } catch (error) {
      console.error("a task's end could not begin a reply; will retry", { error: String(error) });
      return false;
    }
  }
}
