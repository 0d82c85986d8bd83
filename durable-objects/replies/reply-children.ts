// The agents that calls of the open reply wait for, outside this object: their sessions are opened, looked at and stopped
// here. Nothing of it is in memory between two looks: rows and one timer say what is to be done, and all of it may be done
// twice.
import { isAtWork } from "../../agent/agents/subagent-answer.ts";
import { releaseSubagent } from "../../agent/tool-call/await-subagent.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import {
  AGENT_ANSWER_MS,
  AGENT_LOOK_MS,
  AGENT_LOOK_SHARE,
  AGENT_QUOTA_WAIT_MS,
  AGENT_RETRY_MS,
  MAX_AGENTS_AT_ONCE,
  MAX_AGENT_LOOK_MS,
} from "../../protocol/tools/limits.ts";
import { spacedStart } from "../../runtime/fair-turns.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { SessionCompression } from "../context/session-compression.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { Child, ChildTable } from "../tables/child-table.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";
import type { ActiveReply } from "./active-reply.ts";
import { cancelledQuestions } from "./cancelled-questions.ts";
import { ChildCopies } from "./child-copies.ts";
import { openCalledSession } from "./open-called-session.ts";

interface ChildrenSession {
  readonly openReply: ActiveReply | null;
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly settings: SessionSettings;
  readonly tenant: Pick<SessionTenant, "settle">;
  readonly compression: Pick<SessionCompression, "holdsLease">;
  readonly recording: Pick<Recorder, "holdsLease">;
  readonly transaction: <Value>(write: () => Value) => Value;
}

/** The runner of the session's reply, as its agents use it. */
interface ChildrenRunner {
  /** Appends to the open reply, which continues. */
  answer(
    reply: ActiveReply,
    drafts: readonly EventDraft[],
    write: () => void,
    trace?: TraceContext,
  ): readonly LoggedEvent[];
}

export class ReplyChildren {
  readonly #session: ChildrenSession;
  readonly #runner: ChildrenRunner;
  readonly #env: Env;
  /** The events that these agents tell. */
  readonly copies: ChildCopies;
  /** Calls whose agents are being looked at: one step at a time for each. */
  readonly #looking = new Set<string>();
  /** Of those the ones about which something was said meanwhile: the look may have been before it. */
  readonly #noted = new Set<string>();
  /** The execution whose lease was given back, since nothing of its reply runs here. */
  #rested: { readonly reply: ActiveReply; readonly epoch: number } | null = null;

  constructor(session: ChildrenSession, runner: ChildrenRunner, env: Env) {
    this.#session = session;
    this.#runner = runner;
    this.#env = env;
    this.copies = new ChildCopies(session, env);
  }

  /** The handler of the timer, which is set anew before anything is awaited. Contract: the promise never rejects. */
  async lookAtDue(): Promise<void> {
    try {
      await this.#lookAtDue();
    } catch (error) {
      // The timer is set: they are looked at again.
      console.error("called agents could not be looked at", { error: String(error) });
    }
  }

  async #lookAtDue(): Promise<void> {
    if (this.#session.log.isClosed) return;
    const table = this.#table;
    const nowMs = Date.now();
    const due = this.#session.transaction(() => {
      const rows = table.due(nowMs);
      // A look that is lost with its machine is made again.
      for (const child of rows) table.put({ ...child, look_at: nowMs + 2 * AGENT_ANSWER_MS });
      table.schedule();
      return rows.filter(({ tool_call_id }) => !this.#looking.has(tool_call_id));
    });
    if (due.length === 0) return;
    // Before anything is awaited: another look that begins meanwhile leaves them out.
    for (const { tool_call_id } of due) this.#looking.add(tool_call_id);
    await this.rest();
    await Promise.all(due.map(({ tool_call_id }) => this.#look(tool_call_id)));
  }

  /** Looks at an agent that says that something has changed. */
  note(callId: string): Promise<void> {
    const child = this.#table.find(callId);
    if (this.#looking.has(callId)) this.#noted.add(callId);
    if (child?.phase !== "working" || this.#looking.has(callId)) return Promise.resolve();
    this.#session.transaction(() => this.#table.put({ ...child, look_at: Date.now() }));
    return this.lookAtDue();
  }

  /**
   * Gives the lease back while the reply waits for agents alone: they have leases of their own. It asks for another one when
   * it continues. Contract: never rejects; without this the lease ends by itself.
   */
  async rest(): Promise<void> {
    const { openReply: reply, tenant, compression, recording } = this.#session;
    if (!reply?.isAwaitingTasks || !this.#table.hasOpen) return;
    if (compression.holdsLease || recording.holdsLease) return;
    if (this.#rested?.reply === reply && this.#rested.epoch === reply.epoch) return;
    this.#rested = { reply, epoch: reply.epoch };
    const { usage } = reply.state.message;
    await tenant.settle([{ reply_id: reply.id, usage }], false).catch(() => undefined);
  }

  get #table(): ChildTable {
    return this.#session.tables.calls.children;
  }

  async #look(callId: string): Promise<void> {
    this.#looking.add(callId);
    try {
      const child = this.#table.find(callId);
      if (child) await this.#step(child);
    } catch (error) {
      console.warn("a called agent could not be looked at; will retry", { error: String(error) });
      this.#failLook(callId);
    } finally {
      this.#looking.delete(callId);
      if (!this.#session.log.isClosed) this.#afterLook(callId);
    }
  }

  async #step(child: Child): Promise<void> {
    switch (child.phase) {
      case "queued":
        if (this.#isEarly(child)) return this.#wait(child, AGENT_RETRY_MS);
        if (this.#table.countAtWork() >= MAX_AGENTS_AT_ONCE)
          return this.#wait(child, AGENT_LOOK_MS);
        this.#put({ ...child, phase: "starting", begun_at: Date.now() });
        return this.#begin({ ...child, phase: "starting", begun_at: Date.now() });
      case "starting":
        return this.#begin(child);
      case "working":
        return this.#read(child);
      case "stopping":
        return this.#stop(child);
      case "over":
        return;
      default:
        child.phase satisfies never;
    }
  }

  async #begin(child: Child): Promise<void> {
    const reply = this.#replyOf(child);
    if (!reply) return this.#stop(child);
    const { settings, tables } = this.#session;
    const { tenant_id } = settings.init;
    const opened = await spacedStart(tenant_id, async () => {
      // The call may have ended while it stood in line.
      if (!this.#isIn(child, "starting")) return null;
      return openCalledSession({ child, settings, tables, state: reply.state, env: this.#env });
    });
    if (!opened || !this.#isIn(child, "starting")) return;
    switch (opened.type) {
      case "begun": {
        this.#put({ ...child, phase: "working", look_at: Date.now() + AGENT_LOOK_MS });
        // Nothing of before could be heard: neither its events, nor that it has ended.
        const status = await this.copies.note(child.tool_call_id);
        const hasEnded = status !== null && !isAtWork(status);
        if (hasEnded && this.#isIn(child, "working"))
          this.#wait({ ...child, phase: "working" }, AGENT_RETRY_MS);
        return;
      }
      case "no_room":
        if (!isTooLate(child)) return this.#wait(child, AGENT_RETRY_MS);
        return this.#release(child, { failure: `The agent was not called: ${opened.reason}.` });
      case "failed":
        return this.#release(child, { failure: opened.reason });
      default:
        opened satisfies never;
    }
  }

  async #read(child: Child): Promise<void> {
    const { message_id } = child;
    const read = await withinDeadline(
      this.copies.stubOf(child).act("readCalled", { message_id }),
      AGENT_ANSWER_MS,
    );
    if (!this.#isIn(child, "working")) return;
    if (!read.ok) return this.#release(child, {});
    const { status, usage } = read.value;
    // Behind the look at its status: what an agent that has ended has told is before the result.
    await this.copies.copy(child.tool_call_id);
    if (!this.#isIn(child, "working")) return;
    if (!isAtWork(status)) return this.#release(child, { usage });
    const ageMs = Date.now() - child.called_at;
    const nextMs = Math.max(AGENT_LOOK_MS, ageMs * AGENT_LOOK_SHARE);
    this.#wait({ ...child, usage }, Math.min(nextMs, MAX_AGENT_LOOK_MS));
  }

  /** Also where its session was never opened. @throws when the session cannot be reached: it is stopped later. */
  async #stop(child: Child): Promise<void> {
    const { message_id } = child;
    const stub = this.copies.stubOf(child);
    await withinDeadline(stub.act("stopCalled"), AGENT_ANSWER_MS);
    const read = await withinDeadline(stub.act("readCalled", { message_id }), AGENT_ANSWER_MS);
    const usage = read.ok ? read.value.usage : child.usage;
    if (!this.#session.log.isClosed) this.#put({ ...child, usage, phase: "over", look_at: null });
  }

  /** The call continues to its result. */
  #release(child: Child, ending: Partial<Pick<Child, "failure" | "usage">>): void {
    if (this.#isEarly(child)) return this.#wait(child, AGENT_RETRY_MS);
    const over: Child = { ...child, ...ending, phase: "over", look_at: null };
    const reply = this.#replyOf(child);
    const write = (): void => {
      this.#table.put(over);
      this.#table.questions.cancel(child.tool_call_id);
    };
    if (!reply) return this.#session.transaction(write);
    const { tool_call_id, session_id, agent_id, usage } = over;
    const tokens = usage.input_tokens + usage.output_tokens;
    const events = [
      ...cancelledQuestions(this.#table, reply.id, tool_call_id),
      ...releaseSubagent(reply.id, tool_call_id, { session_id, agent_id, tokens }),
    ];
    const trace = this.#session.tables.replies.trace(reply.id);
    this.#runner.answer(reply, events, write, trace);
  }

  /** The reply whose call waits for the agent; null when it waits no more. */
  #replyOf({ reply_id, tool_call_id }: Child): ActiveReply | null {
    const { openReply: reply } = this.#session;
    const waits = reply?.id === reply_id && reply.state.tasks.get(tool_call_id)?.waits === true;
    return waits && !reply.isOver ? reply : null;
  }

  /** Whether the open reply runs the call and does not wait for it yet: a layer around the call may hand that on late. */
  #isEarly(child: Child): boolean {
    const { openReply: reply } = this.#session;
    return reply?.id === child.reply_id && !reply.isOver && this.#replyOf(child) === null;
  }

  /** Whether nothing has changed since the step began, but what it does itself. */
  #isIn({ tool_call_id }: Child, phase: Child["phase"]): boolean {
    return !this.#session.log.isClosed && this.#table.find(tool_call_id)?.phase === phase;
  }

  #wait(child: Child, waitMs: number): void {
    this.#put({ ...child, look_at: Date.now() + waitMs });
  }

  #put(child: Child): void {
    this.#session.transaction(() => this.#table.put(child));
  }

  #failLook(callId: string): void {
    const { log } = this.#session;
    const child = log.isClosed || log.hasFailed ? null : this.#table.find(callId);
    if (!child || child.phase === "over") return;
    const isBeginning = child.phase === "starting";
    if (isBeginning && isTooLate(child)) return this.#release(child, { failure: UNREACHABLE });
    this.#wait(child, isBeginning ? AGENT_RETRY_MS : AGENT_LOOK_MS);
  }

  /** A call that ended meanwhile has its agent stopped, and one that is over makes room for others. */
  #afterLook(callId: string): void {
    const child = this.#table.find(callId);
    const isNoted = this.#noted.delete(callId) && child?.phase === "working";
    const isDue = child?.phase === "stopping" || isNoted;
    const next = child && isDue ? [child] : child?.phase === "over" ? this.#next() : [];
    this.#session.transaction(() => {
      for (const each of next) this.#table.put({ ...each, look_at: Date.now() });
      this.#table.schedule();
    });
  }

  /** As many as there is room for: one that was made due before, and has not begun, still counts as waiting. */
  #next(): readonly Child[] {
    const room = MAX_AGENTS_AT_ONCE - this.#table.countAtWork();
    return room > 0 ? this.#table.firstQueued(room) : [];
  }
}

function isTooLate({ begun_at }: Child): boolean {
  return begun_at !== null && Date.now() - begun_at >= AGENT_QUOTA_WAIT_MS;
}

const UNREACHABLE = "The agent could not be called: the platform could not open a session for it.";
