// Takes runs on, one step after the other: a session is opened, its reply is asked for and looked at. What a step comes to is
// written before the next one, so that a machine that dies in between leaves a run that another one takes on from there.
import type { RunErrorType } from "../../protocol/triggers/contract.ts";
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
import type { StartedRun } from "../api/triggered-session-api.ts";
import type { MonotonicIds } from "../log/monotonic-ids.ts";
import { keepsSession } from "./make-runs.ts";
import { openRunSession, readRunAgent, readRunReply, startRunReply } from "./open-run-session.ts";
import { outcomeOf } from "./run-outcome.ts";
import type { Run } from "./run-rows.ts";
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

  /** Gives it a session: the one that its slot keeps, or a new one. */
  async #place(armed: ArmedTrigger, { id, slot }: Run): Promise<void> {
    const { tables, ids } = this.#trigger;
    const placed = this.#change(id, (run) => {
      const [first] = tables.runs.openOf(slot, 1);
      const waits = armed.definition.overlap === "queue" && first?.id !== id;
      // The end of the one before it wakes it.
      if (waits) {
        this.#put(run, Date.now() + MAX_RUN_LOOK_MS);
        return undefined;
      }
      const kept = keepsSession(run) ? tables.keptSession(slot) : null;
      const session_id = kept?.session_id ?? ids.next("ses");
      const next: Placed = { ...run, session_id, phase: kept ? "asked" : "opening" };
      tables.runs.put(next);
      return next;
    });
    if (placed?.phase === "asked") return this.#start(armed, placed, true);
    if (placed) return this.#open(armed, placed);
  }

  async #open(armed: ArmedTrigger, { id }: Run): Promise<void> {
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
  async #start(armed: ArmedTrigger, { id }: Run, isFirst: boolean): Promise<void> {
    const { env, tables, ids } = this.#trigger;
    const run = tables.runs.read(id);
    if (run?.phase !== "asked" || !isPlaced(run)) return;
    if (isFirst) {
      // A session is kept longer than its agent may be.
      const agent = await readRunAgent(env, armed);
      if (agent.type !== "done") return this.#settle(id, "asked", agent);
    }
    const started = await startRunReply(env, armed, run);
    if (started.type === "done") return this.#take(id, "asked", started.value);
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

  async #look(armed: ArmedTrigger, run: Run): Promise<void> {
    if (!isPlaced(run)) return;
    const read = await readRunReply(this.#trigger.env, armed, run);
    if (read.type === "done") return this.#take(run.id, "begun", read.value);
    this.#settle(run.id, "begun", read);
  }

  #take(id: string, phase: Run["phase"], { reply_id, status, error }: StartedRun): void {
    const { tables } = this.#trigger;
    this.#change(id, (run) => {
      if (run.phase !== phase) return;
      const outcome = outcomeOf(status, error);
      if (outcome.type === "over") return endRun(tables, run, outcome.error, reply_id);
      const ageMs = Date.now() - Date.parse(run.created_at);
      const nextMs = Math.min(Math.max(RUN_LOOK_MS, ageMs * RUN_LOOK_SHARE), MAX_RUN_LOOK_MS);
      const due_at = Date.now() + nextMs;
      continueRun(tables, run, { status: outcome.type, reply_id, due_at });
    });
  }

  #settle(
    id: string,
    phase: Run["phase"],
    step: Exclude<Awaited<ReturnType<typeof startRunReply>>, { type: "done" }>,
  ): void {
    const { tables } = this.#trigger;
    this.#change(id, (run) => {
      if (run.phase !== phase) return;
      switch (step.type) {
        case "failed":
          return endRun(tables, run, step.error);
        case "gone":
          return this.#fail(run, "session_deleted", "The session of the run was deleted.");
        case "suspended":
          return this.#put(run, Date.now() + TRIGGER_SUSPENDED_MS);
        case "no_room":
          return this.#refused(run, step.reason);
        default:
          step satisfies never;
      }
    });
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
