// The work that calls of a reply wait for, or continue with, as a fold of its events: tasks of MCP servers, and agents that
// were called.
import { SUBAGENT_CALL, subagentCallOf } from "../../protocol/agents/events.ts";
import { MCP_TASK, mcpTaskOf } from "../../protocol/mcp/events.ts";
import type { AgentEvent } from "../../protocol/events.ts";

/** The event's value, as far as the loop needs it. */
interface AwaitedWork {
  readonly waits: boolean;
  /** The words of a server about its task. */
  readonly message?: string | null;
}

/** By call id. A call with a task is never made again: whatever happens, the task is asked for. */
export type TaskRecord = ReadonlyMap<string, AwaitedWork>;

export const NO_TASKS: TaskRecord = new Map();

export function advanceTasks(before: TaskRecord, event: AgentEvent): TaskRecord {
  if (event.type === "TOOL_RESULT_END" && before.has(event.tool_call_id)) {
    return new Map([...before].filter(([id]) => id !== event.tool_call_id));
  }
  const task = event.type === "CUSTOM" ? workOf(event.name, event.value) : null;
  return task ? new Map(before).set(task.tool_call_id, task) : before;
}

function workOf(name: string, value: Readonly<Record<string, unknown>>) {
  if (name === MCP_TASK) return mcpTaskOf(value);
  return name === SUBAGENT_CALL ? subagentCallOf(value) : null;
}

/** The calls that wait for their tasks: nothing of them runs. */
export function callsAwaitingTasks({ tasks }: { readonly tasks: TaskRecord }): ReadonlySet<string> {
  return new Set([...tasks].flatMap(([id, { waits }]) => (waits ? [id] : [])));
}

/** By call id, the tokens of the agent that was called, and of those that it has called. */
export type SubagentTokens = ReadonlyMap<string, number>;

/** The last sum of each call counts: one that continues a second time names it again. */
export function advanceSubagentTokens(before: SubagentTokens, event: AgentEvent): SubagentTokens {
  if (event.type !== "CUSTOM" || event.name !== SUBAGENT_CALL) return before;
  const called = subagentCallOf(event.value);
  return called && !called.waits ? new Map(before).set(called.tool_call_id, called.tokens) : before;
}
