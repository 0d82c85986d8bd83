// Tasks of MCP servers, and of other systems' agents, that calls of the reply wait for. Nothing of them is in memory between
// two looks: the alarm begins each, and it needs no execution of the reply.
import { awaitTask, releaseTask, stoppedTask } from "../../agent/tool-call/await-task.ts";
import {
  isSilentTooLong,
  isTaskDue,
  pushedFor,
  shownTask,
  withPushes,
  type KeptTask,
} from "../../agent/mcp/kept-task.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import { MAX_MCP_PROGRESS_EVENTS, MCP_TASK_LOOK_MS } from "../../protocol/mcp/limits.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { CallDeadline } from "../../tools/mcp/call-deadline.ts";
import type { RemoteLook } from "../../tools/a2a/look-at-remote-task.ts";
import { lookAtTask, type TaskLook } from "../../tools/mcp/look-at-task.ts";
import type { ActiveReply } from "./active-reply.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";
import { SessionMcp } from "../mcp/session-mcp.ts";
import { pushIdOf } from "./remote-calls.ts";
import { cancelLeft, cancelRemote, leftConversation, lookAtRemote } from "./remote-tasks.ts";

export interface TaskSession {
  readonly openReply: ActiveReply | null;
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly settings: SessionSettings;
  readonly tenant: Pick<SessionTenant, "check">;
  readonly transaction: <Value>(write: () => Value) => Value;
}

/** The runner of the session's reply, as its tasks use it. */
interface TaskRunner {
  /** Appends to the open reply, which continues. */
  answer(
    reply: ActiveReply,
    drafts: readonly EventDraft[],
    write: () => void,
    trace?: TraceContext,
  ): readonly LoggedEvent[];
  /** Appends to the open reply, which waits on. */
  append(reply: ActiveReply, drafts: readonly EventDraft[], write: () => void): void;
}

export class ReplyTasks {
  readonly #session: TaskSession;
  readonly #runner: TaskRunner;
  readonly #env: Env;

  constructor(session: TaskSession, runner: TaskRunner, env: Env) {
    this.#session = session;
    this.#runner = runner;
    this.#env = env;
  }

  /**
   * The handler of the timers of tasks, which sets them anew before it does anything. A look that is lost with its machine
   * is made again. Contract: the promise never rejects.
   */
  async lookAtDue(): Promise<void> {
    try {
      await this.#lookAtDue();
    } catch (error) {
      // The timers are set: the tasks are looked at again.
      console.error("tasks could not be looked at", { error: String(error) });
    }
  }

  async #lookAtDue(): Promise<void> {
    const { tables, openReply: reply, tenant } = this.#session;
    const nowMs = Date.now();
    const due = tables.timers.due(nowMs).filter(({ kind }) => kind === "task");
    const waiting = due.filter(({ id }) => reply && isWaiting(reply, id));
    for (const timer of due) {
      if (waiting.includes(timer)) tables.timers.set(timer, nowMs + MCP_TASK_LOOK_MS);
      else tables.timers.clear(timer);
    }
    if (!reply || waiting.length === 0) return;
    // A tenant that was stopped has its replies interrupted; what is spent is counted at the next model call.
    await tenant.check(reply.counted);
    const mcp = await this.#open(reply);
    try {
      await Promise.all(waiting.map(({ id }) => this.#look(reply, id, mcp)));
    } finally {
      mcp.close();
    }
  }

  /**
   * An agent has posted that its task has changed: the task is looked at, at once but not again and again. One whose call
   * continues is looked at before it waits. @returns false when no call of the open reply, nor itself, has this address.
   */
  async pushed(pushId: string): Promise<boolean> {
    const { openReply: reply, tables, transaction } = this.#session;
    if (!reply || reply.isOver) return false;
    // The agent that gives the reply: its execution looks. One that was lost looks when it begins anew.
    if (reply.isRunning && pushId === (await pushIdOf(reply.id, ""))) {
      reply.notePush();
      return true;
    }
    const found = openCalls(reply).flatMap((id) => {
      const task = tables.calls.task(id);
      return task?.push?.id === pushId ? [{ id, task }] : [];
    });
    const [call] = found;
    const task = call && isWaiting(reply, call.id) ? pushedFor(call.task, Date.now()) : null;
    if (call && task?.push) {
      const { look_at } = task.push;
      transaction(() => {
        tables.calls.keepTask(call.id, task);
        tables.timers.setBy({ kind: "task", id: call.id }, look_at);
      });
    }
    return call !== undefined;
  }

  /**
   * Cancels all tasks of a reply, which are read before its end takes them away: also those that a call has named while its
   * answer streams, and the one of an agent that gives the reply. Never rejects.
   * @param isWithoutExecution Nothing runs of the reply.
   */
  async cancelAll(reply: ActiveReply, isWithoutExecution: boolean): Promise<void> {
    const { tables } = this.#session;
    const tasks = openCalls(reply).flatMap((id) => tables.calls.task(id) ?? []);
    const left = leftConversation({ id: reply.id, tables, isWithoutExecution });
    const about = this.#aboutRemote(reply);
    await Promise.all([
      ...(tasks.length > 0 ? [this.#cancel(reply, tasks)] : []),
      ...(left ? [cancelLeft(this.#session, this.#env, left, about)] : []),
    ]);
  }

  /** Sends each task's server a cancellation, once; a server that cannot be reached gets none. Never rejects. */
  async #cancel(reply: ActiveReply, tasks: readonly KeptTask[]): Promise<void> {
    const about = this.#aboutRemote(reply);
    const remote = tasks.filter((task) => task.remote);
    const others = tasks.filter((task) => !task.remote);
    const told = remote.map((task) => cancelRemote(this.#session, this.#env, task, about));
    if (others.length > 0) told.push(this.#cancelThere(reply, others));
    await Promise.all(told);
  }

  async #cancelThere(reply: ActiveReply, tasks: readonly KeptTask[]): Promise<void> {
    const mcp = await this.#open(reply);
    const told = tasks.flatMap(({ id, server_id, session_id }) => {
      const linked = mcp.link(server_id, session_id);
      return linked.ok ? [linked.link.cancelTask(id)] : [];
    });
    await Promise.all(told);
    mcp.close();
  }

  /**
   * Ends the call that waits for a task, as stopped by a person, and tells the server. The reply continues.
   * @returns false when the call does not wait any more, or continues with its task just now.
   */
  stop(id: string, inBackground: (work: Promise<unknown>) => void): boolean {
    const { openReply: reply, tables } = this.#session;
    const task = reply && isWaiting(reply, id) ? tables.calls.task(id) : null;
    if (!reply || !task) return false;
    inBackground(this.#cancel(reply, [task]));
    const trace = tables.replies.trace(reply.id);
    this.#runner.answer(reply, stoppedTask(reply.state, id), () => undefined, trace);
    return true;
  }

  async #open(reply: ActiveReply): Promise<SessionMcp> {
    const { tables, log, settings } = this.#session;
    const env = this.#env;
    const people = { reply, log, tables };
    const init = settings.replyInit;
    const mcp = new SessionMcp({ init, replyId: reply.id, table: tables.mcp, env, people });
    const trace = tables.replies.trace(reply.id);
    await mcp.openLinks({ outgoing: createOutgoing({ ...egressRules(env), fetch, trace }) });
    return mcp;
  }

  async #look(reply: ActiveReply, id: string, mcp: SessionMcp): Promise<void> {
    const { tables, log } = this.#session;
    const kept = tables.calls.task(id);
    if (log.isClosed || !kept) return;
    if (kept.remote) return this.#lookAtRemote(reply, id, kept);
    const linked = mcp.link(kept.server_id, kept.session_id);
    if (!linked.ok || Date.now() >= kept.expires_at) return this.#release(reply, id, kept);
    const idleMs = Math.min(linked.timeoutMs, MCP_TASK_LOOK_MS);
    const deadline = new CallDeadline({ idleMs, totalMs: MCP_TASK_LOOK_MS }, NEVER);
    const looked = await lookAtTask(linked.link, kept, deadline);
    deadline.release();
    this.#note(reply, id, kept, { task: looked.task, isDue: isDue(looked) });
  }

  async #lookAtRemote(reply: ActiveReply, id: string, kept: KeptTask): Promise<void> {
    if (Date.now() >= kept.expires_at) return this.#release(reply, id, kept);
    const about = this.#aboutRemote(reply);
    const startedMs = Date.now();
    const look = await lookAtRemote(this.#session, this.#env, kept, about);
    this.#note(reply, id, kept, { ...look, startedMs });
  }

  #aboutRemote({ id, state }: ActiveReply) {
    return { state, trace: this.#session.tables.replies.trace(id) };
  }

  #note(
    reply: ActiveReply,
    id: string,
    kept: KeptTask,
    look: RemoteLook & { readonly startedMs?: number },
  ): void {
    const { tables, log } = this.#session;
    // The wait ended meanwhile: interrupted, expired or erased.
    if (log.isClosed || this.#session.openReply !== reply || !isWaiting(reply, id)) return;
    const { isDue: isOver, startedMs = Date.now() } = look;
    const task = withPushes(look.task, tables.calls.task(id), startedMs);
    if (isOver) return this.#release(reply, id, task);
    const write = (): void => {
      tables.calls.keepTask(id, task);
      tables.timers.set({ kind: "task", id }, task.poll_at);
    };
    const isNewMessage = task.message !== kept.message && task.messages <= MAX_MCP_PROGRESS_EVENTS;
    if (!isNewMessage) this.#session.transaction(write);
    else this.#runner.append(reply, awaitTask(reply.state, { id }, shownTask(task)), write);
  }

  #release(reply: ActiveReply, id: string, task: KeptTask): void {
    if (this.#session.openReply !== reply || !isWaiting(reply, id)) return;
    const { calls, replies } = this.#session.tables;
    const events = releaseTask(reply.state, id, shownTask(task));
    this.#runner.answer(reply, events, () => calls.keepTask(id, task), replies.trace(reply.id));
  }
}

/** A look is short, and its outcome is held against the reply as it is then. */
const NEVER = new AbortController().signal;

/** The calls without an end. */
function openCalls({ state }: ActiveReply): readonly string[] {
  return state.message.content.flatMap((block) =>
    block.type === "tool_result" && block.state === "running" ? [block.id] : [],
  );
}

function isWaiting({ state, isOver }: ActiveReply, id: string): boolean {
  return !isOver && state.tasks.get(id)?.waits === true;
}

function isDue(looked: TaskLook): boolean {
  const nowMs = Date.now();
  if (looked.type === "failed") return looked.isFinal || isSilentTooLong(looked.task, nowMs);
  const { inputRequests } = looked.answer;
  const isAsking = typeof inputRequests === "object" && inputRequests !== null;
  return isTaskDue(looked.task, isAsking ? Object.keys(inputRequests) : [], nowMs);
}
