// Writes what has become of a run, with all that follows from it: webhooks, the pause after failures in a row, the turn of the
// next one. Each function is called within a transaction.
import type { RunError, RunErrorType } from "../../protocol/triggers/contract.ts";
import { MAX_FAILURES_IN_ROW, MAX_RUN_ERROR_CHARACTERS } from "../../protocol/triggers/limits.ts";
import { targetOf } from "../../protocol/triggers/target.ts";
import type { Run } from "./run-rows.ts";
import { statusOf, type TriggerTables } from "./trigger-tables.ts";
import { armSchedule } from "./make-runs.ts";

/** Failures that say nothing against the trigger: of a quota, or of a person. */
const UNCOUNTED: readonly RunErrorType[] = [
  "quota_exceeded",
  "reply_interrupted",
  "session_deleted",
  "end_user_erased",
];

/** Failures that each further run would have. */
const HOPELESS: readonly RunErrorType[] = ["agent_deleted", "room_deleted"];

type RunEvent =
  | "trigger_run.started"
  | "trigger_run.waiting"
  | "trigger_run.succeeded"
  | "trigger_run.failed";

/** The run's reply is at work: it has begun, it waits, or it goes on. */
export function continueRun(
  tables: TriggerTables,
  run: Run,
  {
    status,
    reply_id,
    due_at,
  }: {
    readonly status: "running" | "waiting";
    readonly reply_id: string | null;
    readonly due_at: number;
  },
): void {
  const started_at = run.started_at ?? new Date().toISOString();
  const next: Run = {
    ...run,
    status,
    phase: "begun",
    reply_id,
    due_at,
    started_at,
    subject: null,
    tries: 0,
    refused_at: null,
  };
  tables.runs.put(next);
  if (run.started_at === null) announceRun(tables, "trigger_run.started", next);
  if (status === "waiting" && run.status !== "waiting") {
    announceRun(tables, "trigger_run.waiting", next);
  }
}

/**
 * The run is over. @param error Null when its reply, or its discussion, has ended as it should. @param begun Of a run that has begun,
 * though nothing of it may be written yet.
 */
export function endRun(
  tables: TriggerTables,
  run: Run,
  error: RunError | null,
  begun: Pick<Run, "reply_id"> | null = null,
): void {
  const now = new Date().toISOString();
  const { reply_id } = begun ?? run;
  const started_at = run.started_at ?? (begun === null ? null : now);
  const isOpened = run.phase === "asked" || run.phase === "begun";
  const over: Run = {
    ...run,
    status: error ? "failed" : "succeeded",
    phase: "over",
    error: error && { ...error, message: error.message.slice(0, MAX_RUN_ERROR_CHARACTERS) },
    session_id: isOpened ? run.session_id : null,
    reply_id,
    subject: null,
    started_at,
    ended_at: now,
    due_at: null,
  };
  tables.runs.put(over);
  if (run.started_at === null && started_at !== null) {
    announceRun(tables, "trigger_run.started", over);
  }
  announceRun(tables, error ? "trigger_run.failed" : "trigger_run.succeeded", over);
  if (run.context.type !== "manual") count(tables, over.error);
  wakeNext(tables, run);
}

/** Runs by hand are a person's, and neither count as failures nor end a row of them. */
function count(tables: TriggerTables, error: RunError | null): void {
  const { state, timers } = tables;
  if (!state || (error && UNCOUNTED.includes(error.type))) return;
  const failures_in_row = error ? state.failures_in_row + 1 : 0;
  if (failures_in_row === state.failures_in_row) return;
  tables.write({ failures_in_row });
  timers.setBy("report", Date.now());
  const isPaused = error !== null && HOPELESS.includes(error.type);
  if (error && (isPaused || failures_in_row >= MAX_FAILURES_IN_ROW)) pause(tables, error);
}

function pause(tables: TriggerTables, error: RunError): void {
  const { state } = tables;
  if (!state || statusOf(state) !== "active") return;
  const { trigger_id, definition, due_after } = state.armed;
  tables.write({
    ended: { status: "paused", paused_reason: { type: "error", error }, due_after },
  });
  armSchedule(tables);
  tables.announce({
    type: "trigger.paused",
    timestamp: new Date().toISOString(),
    data: { trigger_id, ...targetOf(definition), error_type: error.type },
  });
  tables.timers.setBy("announce", Date.now());
}

/** Of runs that wait for their turn the oldest one has it. */
function wakeNext({ runs }: TriggerTables, { slot }: Run): void {
  const [next] = runs.openOf(slot, 1);
  if (next?.phase === "made") runs.put({ ...next, due_at: Date.now() });
}

function announceRun(tables: TriggerTables, type: RunEvent, run: Run): void {
  const { state, timers } = tables;
  if (!state) return;
  const { trigger_id, definition } = state.armed;
  const { id: trigger_run_id, session_id, reply_id, error } = run;
  const timestamp = new Date().toISOString();
  const data = { trigger_id, ...targetOf(definition), trigger_run_id, session_id, reply_id };
  tables.announce(
    type === "trigger_run.failed"
      ? { type, timestamp, data: { ...data, error_type: error?.type ?? "internal" } }
      : { type, timestamp, data },
  );
  timers.setBy("announce", Date.now());
}
