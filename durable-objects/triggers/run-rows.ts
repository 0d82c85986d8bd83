// Rows of runs, and runs as the API shows them.
import type {
  RunError,
  TriggerContext,
  TriggerRun,
  TriggerRunStatus,
} from "../../protocol/triggers/contract.ts";
import type { RunSubject } from "../api/trigger-api.ts";

/**
 * The place that a run has come to with its session: it has none yet (`made`); it has an id, under which one is being opened
 * (`opening`); the session is there, and was, or is about to be, asked for the reply (`asked`); the reply has begun (`begun`);
 * nothing is left to do (`over`). A room is there from the beginning: its message was, or is about to be, said (`asked`), or is
 * there (`begun`).
 */
type RunPhase = "made" | "opening" | "asked" | "begun" | "over";

export interface Run {
  readonly id: string;
  /** The one thing that it was made for: a listed time, a sender's id, or a request. */
  readonly occasion: string;
  readonly context: TriggerContext;
  readonly status: TriggerRunStatus;
  readonly phase: RunPhase;
  readonly skip_reason: TriggerRun["skip_reason"];
  readonly error: RunError | null;
  /** Runs of one slot share a session, or a turn. */
  readonly slot: string;
  readonly session_id: string | null;
  readonly reply_id: string | null;
  /** Null once it is over. */
  readonly subject: RunSubject | null;
  readonly end_user_id: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** When it is looked at, in Unix milliseconds; null once it is over. */
  readonly due_at: number | null;
  /** Steps in a row that have failed for an unknown reason. */
  readonly tries: number;
  /** When a quota has first refused it, in Unix milliseconds; null for never. */
  readonly refused_at: number | null;
}

/** A run as its row has it: objects are JSON. */
export type RunRow = {
  readonly [Name in keyof Run]: Run[Name] extends object | null
    ? null extends Run[Name]
      ? string | null
      : string
    : Run[Name];
} & Record<string, SqlStorageValue>;

export function toRun(row: RunRow): Run {
  return {
    ...row,
    context: JSON.parse(row.context) as TriggerContext,
    error: row.error === null ? null : (JSON.parse(row.error) as RunError),
    subject: row.subject === null ? null : (JSON.parse(row.subject) as RunSubject),
  };
}

export function toRow(run: Run): RunRow {
  return {
    ...run,
    context: JSON.stringify(run.context),
    error: run.error && JSON.stringify(run.error),
    subject: run.subject && JSON.stringify(run.subject),
  };
}

/** The message with which the run's reply, or its discussion, begins: repeated, it is the same one. */
export function messageIdOf({ id }: Pick<Run, "id">): string {
  return id.replace(/^trun_/, "msg_");
}

/** The run whose message it is. */
export function runIdOf(messageId: string): string {
  return messageId.replace(/^msg_/, "trun_");
}

/** A session is shown once it is open. */
export function viewRun(triggerId: string, roomId: string | null, run: Run): TriggerRun {
  const { id, context, status, skip_reason, error, session_id, reply_id, ...times } = run;
  const { phase, created_at, started_at, ended_at } = times;
  const isOpen = phase !== "made" && phase !== "opening";
  return {
    id,
    trigger_id: triggerId,
    trigger_context: context,
    status,
    skip_reason,
    error,
    session_id: isOpen ? session_id : null,
    reply_id,
    room_id: roomId,
    message_id: roomId !== null && started_at !== null ? messageIdOf(run) : null,
    created_at,
    started_at,
    ended_at,
  };
}
