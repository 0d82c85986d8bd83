// Takes runs on, one step after the other: a session is opened, its reply is asked for and looked at. What a step comes to is
// written before the next one, so that a machine that dies in between leaves a run that another one takes on from there.
import type { RunErrorType } from "../../protocol/triggers/contract.ts";
import { isOfAgent, targetOf } from "../../protocol/triggers/target.ts";
import {
  FIRST_RUN_RETRY_MS,
  MAX_RUN_LOOK_MS,
  MAX_RUN_RETRY_MS,
  MAX_RUN_TRIES,
  RUN_LOOK_MS,
  RUN_LOOK_SHARE,
  RUN_QUOTA_RETRY_MS,
  TRIGGER_SUSPENDED_MS,
} from "../../protocol/triggers/limits.ts";
import type { ArmedTrigger } from "../api/trigger-api.ts";
import type { MonotonicIds } from "../log/monotonic-ids.ts";
import { readDiscussion, sayInRoom } from "./ask-room.ts";
import { keepsSession } from "./make-runs.ts";
import {
  openRunSession,
  readRunAgent,
  readRunReply,
  startRunReply,
  type AgentTrigger,
} from "./open-run-session.ts";
import type { BegunRun } from "./run-outcome.ts";
import type { Run } from "./run-rows.ts";
import type { RunStep } from "./run-step.ts";
import { continueRun, endRun } from "./settle-run.ts";
import type { TriggerTables } from "./trigger-tables.ts";

interface SteppedTrigger {
  readonly env: Env;
  readonly tables: TriggerTables;
  readonly ids: MonotonicIds;
}

type Placed = Run & { readonly session_id: string };

export class RunSteps {
  readonly #trigger: SteppedTrigger;
  /** Runs that are being taken on: one step at a time for each. */
  readonly #stepping = new Map<string, Promise<void>>();
  /** Of those the ones of which something was said meanwhile: the look may have been before it. */
  readonly #noted = new Set<string>();

  constructor(trigger: SteppedTrigger) {
    this.#trigger = trigger;
  }

  /** Takes a run on as far as it goes now. Contract: never rejects. */
  advance(runId: string): Promise<void> {
    const before = this.#stepping.get(runId);
    if (before) return before;
    const stepping = this.#advance(runId).finally(() => {
      this.#stepping.delete(runId);
      if (this.#noted.delete(runId)) this.#change(runId, (run) => this.#put(run, Date.now()));
    });
    this.#stepping.set(runId, stepping);
    return stepping;
  }

  /** The run's session has something new: it is looked at again, also where it is being looked at. */
  note(runId: string): void {
    if (this.#stepping.has(runId)) this.#noted.add(runId);
  }

  async #advance(runId: string): Promise<void> {
    try {
      await this.#step(runId);
    } catch (error) {
      console.warn("a run of a trigger could not be taken on; will retry", {
        trigger_run_id: runId,
        error: String(error),
      });
      this.#change(runId, (run) => this.#retry(run));
    }
  }

  async #step(runId: string): Promise<void> {
    const { tables } = this.#trigger;
    const run = tables.state && tables.runs.read(runId);
    if (!run || run.due_at === null || !tables.state) return;
    const { armed } = tables.state;
    if (run.phase === "made" && this.#waitsForTurn(armed, run)) return;
    const { definition } = armed;
    if (isOfAgent(definition)) return this.#stepInSession({ ...armed, definition }, run);
    return this.#stepInRoom(armed, run);
  }

  /** The end of the run before it wakes it. */
  #waitsForTurn({ definition }: ArmedTrigger, { id, slot }: Run): boolean {
    const { runs } = this.#trigger.tables;
    if (definition.overlap !== "queue" || runs.openOf(slot, 1)[0]?.id === id) return false;
    this.#change(id, (run) => this.#put(run, Date.now() + MAX_RUN_LOOK_MS));
    return true;
  }

  async #stepInSession(armed: AgentTrigger, run: Run): Promise<void> {
    switch (run.phase) {
      case "made":
        return this.#place(armed, run);
      case "opening":
        return this.#open(armed, run);
      case "asked":
        return this.#start(armed, run, false);
      case "begun":
        return this.#look(armed, run);
      case "over":
        return;
      default:
        run.phase satisfies never;
    }
  }

  /** A room is there already: its message is said, or asked for. */
  async #stepInRoom(armed: ArmedTrigger, run: Run): Promise<void> {
    const { env, tables } = this.#trigger;
    const roomId = targetOf(armed.definition).room_id ?? "";
    if (run.phase === "begun") {
      return this.#settle(run.id, "begun", await readDiscussion(env, armed, { run, roomId }));
    }
    const asked = this.#change(run.id, (now) => {
      const next: Run = { ...now, phase: "asked" };
      tables.runs.put(next);
      return next;
    });
    if (asked) this.#settle(run.id, "asked", await sayInRoom(env, armed, { run: asked, roomId }));
  }

  /** Gives it a session: the one that its slot keeps, or a new one. */
  async #place(armed: AgentTrigger, { id, slot }: Run): Promise<void> {
    const { tables, ids } = this.#trigger;
    const placed = this.#change(id, (run) => {
      const kept = keepsSession(run) ? tables.keptSession(slot) : null;
      const session_id = kept?.session_id ?? ids.next("ses");
      const next: Placed = { ...run, session_id, phase: kept ? "asked" : "opening" };
      tables.runs.put(next);
      return next;
    });
    if (placed?.phase === "asked") return this.#start(armed, placed, true);
    if (placed) return this.#open(armed, placed);
  }

  async #open(armed: AgentTrigger, { id }: Run): Promise<void> {
    const { env, tables } = this.#trigger;
    const run = tables.runs.read(id);
    if (run?.phase !== "opening" || !isPlaced(run)) return;
    const agent = await readRunAgent(env, armed);
    if (agent.type !== "done") return this.#settle(id, "opening", agent);
    const opened = await openRunSession(env, armed, run, agent.value);
    if (opened.type !== "done") return this.#settle(id, "opening", opened);
    const asked = this.#change(id, (now) => {
      if (now.phase !== "opening") return undefined;
      const next: Placed = { ...now, session_id: run.session_id, phase: "asked" };
      tables.runs.put(next);
      if (keepsSession(next)) tables.keepSession(next.slot, next);
      return next;
    });
    if (asked) return this.#start(armed, asked, false);
  }

  /** @param isFirst It was never asked before: where its session is gone, nothing has begun there for this run. */
  async #start(armed: AgentTrigger, { id }: Run, isFirst: boolean): Promise<void> {
    const { env, tables, ids } = this.#trigger;
    const run = tables.runs.read(id);
    if (run?.phase !== "asked" || !isPlaced(run)) return;
    if (isFirst) {
      // A session is kept longer than its agent may be.
      const agent = await readRunAgent(env, armed);
      if (agent.type !== "done") return this.#settle(id, "asked", agent);
    }
    const started = await startRunReply(env, armed, run);
    if (started.type !== "gone" || !isFirst) return this.#settle(id, "asked", started);
    const moved = this.#change(id, (now) => {
      if (now.phase !== "asked") return undefined;
      tables.forgetSession(now.slot, run.session_id);
      const next: Placed = { ...now, session_id: ids.next("ses"), phase: "opening" };
      tables.runs.put(next);
      return next;
    });
    if (moved) return this.#open(armed, moved);
  }

  async #look(armed: AgentTrigger, run: Run): Promise<void> {
    if (!isPlaced(run)) return;
    this.#settle(run.id, "begun", await readRunReply(this.#trigger.env, armed, run));
  }

  /** Writes what a step has come to, unless the run has come further meanwhile. */
  #settle(id: string, phase: Run["phase"], step: RunStep<BegunRun>): void {
    const { tables } = this.#trigger;
    this.#change(id, (run) => {
      if (run.phase !== phase) return;
      switch (step.type) {
        case "done":
          return this.#take(run, step.value);
        case "failed":
          return endRun(tables, run, step.error);
        case "gone":
          return this.#gone(run);
        case "suspended":
          return this.#put(run, Date.now() + TRIGGER_SUSPENDED_MS);
        case "no_room":
          return this.#refused(run, step.reason);
        default:
          step satisfies never;
      }
    });
  }

  /** Within a transaction. */
  #take(run: Run, { reply_id, outcome }: BegunRun): void {
    const { tables } = this.#trigger;
    if (outcome.type === "over") return endRun(tables, run, outcome.error, { reply_id });
    const ageMs = Date.now() - Date.parse(run.created_at);
    const nextMs = Math.min(Math.max(RUN_LOOK_MS, ageMs * RUN_LOOK_SHARE), MAX_RUN_LOOK_MS);
    const due_at = Date.now() + nextMs;
    continueRun(tables, run, { status: outcome.type, reply_id, due_at });
  }

  #gone(run: Run): void {
    if (run.session_id === null) this.#fail(run, "room_deleted", "The room was deleted.");
    else this.#fail(run, "session_deleted", "The session of the run was deleted.");
  }

  /** Tried again after about as long as it has been refused. */
  #refused(run: Run, reason: string): void {
    const nowMs = Date.now();
    const refused_at = run.refused_at ?? nowMs;
    const refusedMs = nowMs - refused_at;
    if (refusedMs >= RUN_QUOTA_RETRY_MS) {
      return this.#fail(run, "quota_exceeded", `There was no room for it: ${reason}.`);
    }
    const delayMs = Math.min(Math.max(refusedMs, FIRST_RUN_RETRY_MS), MAX_RUN_RETRY_MS);
    const due_at = Math.min(nowMs + delayMs, refused_at + RUN_QUOTA_RETRY_MS);
    this.#trigger.tables.runs.put({ ...run, refused_at, due_at });
  }

  #retry(run: Run): void {
    const tries = run.tries + 1;
    const delayMs = Math.min(FIRST_RUN_RETRY_MS * 2 ** run.tries, MAX_RUN_RETRY_MS);
    // A reply that has begun has an end, whoever cannot be reached.
    if (tries >= MAX_RUN_TRIES && run.phase !== "begun") {
      return this.#fail(run, "internal", "The platform could not begin the run.");
    }
    const most = Math.min(tries, MAX_RUN_TRIES);
    this.#trigger.tables.runs.put({ ...run, tries: most, due_at: Date.now() + delayMs });
  }

  #fail(run: Run, type: RunErrorType, message: string): void {
    endRun(this.#trigger.tables, run, { type, message });
  }

  #put(run: Run, due_at: number): void {
    if (run.due_at !== null) this.#trigger.tables.runs.put({ ...run, due_at });
  }

  /** In a transaction, with the run as it is now; nothing for one that is over or gone. */
  #change<Value>(id: string, change: (run: Run) => Value): Value | undefined {
    const { tables } = this.#trigger;
    if (!tables.state) return undefined;
    return tables.inTransaction(() => {
      const run = tables.runs.read(id);
      return run && run.due_at !== null ? change(run) : undefined;
    });
  }
}

function isPlaced(run: Run): run is Placed {
  return run.session_id !== null;
}
