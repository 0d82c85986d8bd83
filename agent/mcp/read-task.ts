// Reads what an MCP server says of a task, in both eras.
import type { McpTaskStatus } from "../../protocol/mcp/events.ts";
import {
  MAX_MCP_TASK_ID_CHARACTERS,
  MAX_MCP_TASK_MESSAGE_CHARACTERS,
} from "../../protocol/mcp/limits.ts";
import type { McpEra } from "../../protocol/mcp/versions.ts";
import { plainLine } from "../tool-call/confirmation-question.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One answer about a task. */
export interface TaskRead {
  readonly id: string;
  readonly status: McpTaskStatus;
  /** On one line, and cut; null when there is none. */
  readonly message: string | null;
  /** Milliseconds from its beginning; null for as long as it takes. */
  readonly ttlMs: number | null;
  /** Milliseconds; null when the server does not say. */
  readonly pollMs: number | null;
}

const STATUSES: ReadonlySet<unknown> = new Set<McpTaskStatus>([
  "working",
  "input_required",
  "completed",
  "failed",
  "cancelled",
]);

/**
 * The task in an answer to `tools/call`.
 * @returns null for a result that is no task, `unreadable` for a task that cannot be asked for.
 */
export function readCreatedTask(
  result: Fields,
  { era, isAsked }: { readonly era: McpEra; readonly isAsked: boolean },
): TaskRead | "unreadable" | null {
  if (era === "modern") {
    return result["resultType"] === "task" ? (readTask(result) ?? "unreadable") : null;
  }
  const { task } = result;
  if (!isAsked || !isJsonObject(task)) return null;
  return readTask(task) ?? "unreadable";
}

/** Null for what is no task. */
export function readTask(task: Fields): TaskRead | null {
  const { taskId: id, status, statusMessage } = task;
  if (typeof id !== "string" || id === "" || id.length > MAX_MCP_TASK_ID_CHARACTERS) return null;
  if (!STATUSES.has(status)) return null;
  const message =
    typeof statusMessage === "string"
      ? plainLine(statusMessage, MAX_MCP_TASK_MESSAGE_CHARACTERS).trim()
      : "";
  return {
    id,
    status: status as McpTaskStatus,
    message: message === "" ? null : message,
    ttlMs: durationOf(task["ttlMs"] ?? task["ttl"]),
    pollMs: durationOf(task["pollIntervalMs"] ?? task["pollInterval"]),
  };
}

/** A value that is no number counts as not said. */
function durationOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
