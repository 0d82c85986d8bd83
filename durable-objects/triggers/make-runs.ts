// Makes runs: each for an occasion, once. What a run does beside others is decided here, in the transaction that writes it.
import { dueRuns } from "../../agent/triggers/due-runs.ts";
import { nextRun } from "../../agent/triggers/schedule-times.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type {
  TriggerContext,
  TriggerDefinition,
  TriggerRun,
} from "../../protocol/triggers/contract.ts";
import { IDEMPOTENCY_KEPT_MS } from "../../protocol/requests/limits.ts";
import { MAX_OPEN_RUNS } from "../../protocol/triggers/limits.ts";
import type { MonotonicIds } from "../log/monotonic-ids.ts";
import type { RunSubject } from "../api/trigger-api.ts";
import type { Run } from "./run-rows.ts";
import { statusOf, type TriggerTables } from "./trigger-tables.ts";

/** The slot of all runs that have a session of their own each. */
const OWN_SESSIONS = "new";
/** The slot of all runs of a room. */
const IN_ROOM = "room";

interface Occasion {
  readonly context: TriggerContext;
  readonly occasion: string;
  readonly subject: RunSubject;
}

/** A run that is made, or one that was made for the same occasion before. */
export interface MadeRun {
  readonly run: Run;
  readonly isNew: boolean;
}

/** Within a transaction. Refuses nothing that a schedule has made due: where there is no room, the run says so. */
export function makeRun(
  tables: TriggerTables,
  ids: MonotonicIds,
  { context, occasion, subject }: Occasion,
): Result<MadeRun> {
  const before = findMade(tables, occasion);
  if (before) return accept({ run: before, isNew: false });
  const { state, runs } = tables;
  if (!state) return refuse("not_found", "there is no such trigger");
  const { definition } = state.armed;
  const nowMs = Date.now();
  const created_at = new Date(nowMs).toISOString();
  const slot = slotOf(definition, subject);
  const isFull = runs.openCount >= MAX_OPEN_RUNS;
  if (isFull && context.type !== "schedule") {
    const detail = `${MAX_OPEN_RUNS} runs of this trigger have not ended; wait for some of them, or answer what they wait for`;
    return refuse("quota_exceeded", detail, { extensions: { quota: "triggers" } });
  }
  const isLeftOut = definition.overlap === "skip" && runs.openOf(slot, 1).length > 0;
  const skip_reason = isLeftOut ? "overlap" : isFull ? "queue_full" : null;
  const made: Run = {
    id: ids.next("trun"),
    occasion,
    context,
    slot,
    created_at,
    end_user_id: subject.end_user_id,
    error: null,
    session_id: null,
    reply_id: null,
    started_at: null,
    tries: 0,
    refused_at: null,
    ...(skip_reason === null ? toDo(subject, nowMs) : leftOut(skip_reason, created_at)),
  };
  runs.put(made);
  if (skip_reason === null && context.type !== "manual") {
    tables.write({ last_run_at: created_at });
    tables.timers.setBy("report", nowMs);
  }
  return accept({ run: made, isNew: true });
}

/** The run of the same occasion. A key of a request is another one's a day later. */
function findMade({ runs }: TriggerTables, occasion: string): Run | null {
  const before = runs.readOf(occasion);
  if (before?.context.type !== "manual") return before;
  if (Date.now() - Date.parse(before.created_at) < IDEMPOTENCY_KEPT_MS) return before;
  runs.put({ ...before, occasion: `m:${before.id}` });
  return null;
}

type Fate = Pick<Run, "status" | "phase" | "skip_reason" | "subject" | "due_at" | "ended_at">;

function toDo(subject: RunSubject, nowMs: number): Fate {
  const rest = { skip_reason: null, ended_at: null } as const;
  return { status: "pending", phase: "made", subject, due_at: nowMs, ...rest };
}

function leftOut(skip_reason: NonNullable<TriggerRun["skip_reason"]>, ended_at: string): Fate {
  return { status: "skipped", phase: "over", skip_reason, subject: null, due_at: null, ended_at };
}

/** The runs that share a session have one slot. A session is never shared by two end users. */
function slotOf({ session }: TriggerDefinition, { session_key, end_user_id }: RunSubject): string {
  if (!session) return IN_ROOM;
  if (session.mode === "new") return OWN_SESSIONS;
  return JSON.stringify([session.mode, session_key, end_user_id]);
}

export function keepsSession({ slot }: Pick<Run, "slot">): boolean {
  return slot !== OWN_SESSIONS;
}

/** Makes the runs that are due by the schedule, and sets its timer to the next time. Within a transaction. */
export function makeDueRuns(tables: TriggerTables, ids: MonotonicIds, nowMs: number): void {
  const { state, timers } = tables;
  const schedule = state?.armed.definition.schedule;
  if (!state || !schedule || statusOf(state) !== "active") return timers.clear("schedule");
  const { trigger_id: triggerId, definition, due_after } = state.armed;
  const { missed } = definition;
  const afterMs = state.decided_at;
  const due = dueRuns({ schedule, triggerId, afterMs, nowMs, missed });
  for (const timeMs of due.runs) {
    const scheduled_at = new Date(timeMs).toISOString();
    const context = { type: "schedule", scheduled_at } as const;
    const subject = plainSubject(definition);
    // By the schedule, too: the same time of another one is another run.
    makeRun(tables, ids, { context, occasion: `s:${due_after}:${scheduled_at}`, subject });
  }
  const isOnce = schedule.type === "once" && due.decidedMs > afterMs;
  tables.write({
    decided_at: due.decidedMs,
    missed_runs: state.missed_runs + due.missed,
    ...(isOnce && { ended: { status: "completed", paused_reason: null, due_after } }),
  });
  if (due.missed > 0 || isOnce) timers.setBy("report", nowMs);
  if (due.isComplete) armSchedule(tables);
  else timers.set("schedule", nowMs);
}

/** The definition as it is, where no payload fills anything in. */
function plainSubject({ input, session, end_user_id }: TriggerDefinition): RunSubject {
  const key = session?.mode === "keyed" && "value" in session.key ? session.key.value : null;
  return {
    input,
    session_key: key,
    end_user_id: typeof end_user_id === "string" ? end_user_id : null,
    is_untrusted: false,
  };
}

/** Sets the timer of the schedule to its next time, or clears it. Within a transaction. */
export function armSchedule(tables: TriggerTables): void {
  const { state, timers } = tables;
  const schedule = state?.armed.definition.schedule;
  const isActive = state !== null && statusOf(state) === "active";
  const next =
    isActive && schedule
      ? nextRun(schedule, { afterMs: state.decided_at, triggerId: state.armed.trigger_id })
      : null;
  if (next) timers.set("schedule", next.beginsMs);
  else timers.clear("schedule");
}
