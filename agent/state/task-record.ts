// The tasks of MCP servers that calls of a reply wait for, or continue with, as a fold of its events.
import { MCP_TASK, mcpTaskOf, type McpTaskValue } from "../../protocol/mcp/events.ts";
import type { AgentEvent } from "../../protocol/events.ts";

/** By call id. A call with a task is never made again: whatever happens, the task is asked for. */
export type TaskRecord = ReadonlyMap<string, McpTaskValue>;

export const NO_TASKS: TaskRecord = new Map();

export function advanceTasks(before: TaskRecord, event: AgentEvent): TaskRecord {
  if (event.type === "TOOL_RESULT_END" && before.has(event.tool_call_id)) {
    return new Map([...before].filter(([id]) => id !== event.tool_call_id));
  }
  if (event.type !== "CUSTOM" || event.name !== MCP_TASK) return before;
  const task = mcpTaskOf(event.value);
  return task ? new Map(before).set(task.tool_call_id, task) : before;
}

/** The calls that wait for their tasks: nothing of them runs. */
export function callsAwaitingTasks({ tasks }: { readonly tasks: TaskRecord }): ReadonlySet<string> {
  return new Set([...tasks].flatMap(([id, { waits }]) => (waits ? [id] : [])));
}
