// Background tasks on the wire: calls that were let go, and their ends.
import type { LoggedEvent } from "../events.ts";
import type { UntrustedSource } from "../messages/untrusted-content.ts";

/** The tool with which an agent stops its background tasks, as AgentScope names it. */
export const TOOL_STOP = "ToolStop";

/** A call was let go: its result is a note with the task's id. In the commit of that result. */
export const BACKGROUND_TASK_STARTED = "background_task_started";
/** A task has ended: with a result, without one, or stopped. */
export const BACKGROUND_TASK_ENDED = "background_task_ended";

/** The name of the ability, and the source of its hints. */
export const BACKGROUND_TASKS = "background_tasks";
/** The source of the hint that begins a reply. */
export const TASK_HINT_SOURCE = "background_task";

/** The event that a task waits for: the end of its request, or a result that is posted to its callback address. */
export type TaskWaitsFor = "request" | "callback";
/** `failed`: also a task whose outcome is unknown, and one without a result in time. */
export type TaskEnd = "completed" | "failed" | "cancelled";

/** A task with its call, in both events. */
interface OfTask {
  readonly task_id: string;
  readonly reply_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
}

export interface BackgroundTaskStartedValue extends OfTask {
  readonly waits_for: TaskWaitsFor;
  /** Until when there has to be a result; ISO 8601. */
  readonly expires_at: string;
  /** The source of its result, when that is not trusted. */
  readonly untrusted?: UntrustedSource;
}

export interface BackgroundTaskEndedValue extends OfTask {
  readonly status: TaskEnd;
  /** A sentence on a task that has no result; else null. */
  readonly message: string | null;
  /** The one by whom it was stopped; null for a task that has ended by itself. */
  readonly stopped_by: "agent" | "person" | null;
  /** Too many replies were begun by tasks since a person has said something: this end waits for the next message. */
  readonly paused: boolean;
}

/** The value of a `background_task_started`; null for every other event. */
export function startedTaskOf(event: LoggedEvent): BackgroundTaskStartedValue | null {
  return isNamed(event, BACKGROUND_TASK_STARTED)
    ? (event.value as unknown as BackgroundTaskStartedValue)
    : null;
}

/** The value of a `background_task_ended`; null for every other event. */
export function endedTaskOf(event: LoggedEvent): BackgroundTaskEndedValue | null {
  return isNamed(event, BACKGROUND_TASK_ENDED)
    ? (event.value as unknown as BackgroundTaskEndedValue)
    : null;
}

function isNamed(
  event: LoggedEvent,
  name: string,
): event is Extract<LoggedEvent, { readonly type: "CUSTOM" }> {
  return (
    event.type === "CUSTOM" && event.name === name && typeof event.value["task_id"] === "string"
  );
}
