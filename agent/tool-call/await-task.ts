import { MCP_TASK, type McpTaskValue } from "../../protocol/mcp/events.ts";
import type { McpTask } from "../../protocol/mcp/task.ts";
import { TOOL_PROGRESS, type ToolProgressValue } from "../../protocol/tools/events.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import { resultMetadata } from "../state/result-metadata.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** Lets the call wait for its task, and reports the progress that is new. */
export function awaitTask(
  state: ReplyState,
  { id }: Pick<ToolCallBlock, "id">,
  task: McpTask,
): readonly EventDraft[] {
  const { message } = task;
  const isNew = message !== null && message !== state.tasks.get(id)?.message;
  return [...(isNew ? [progressOf(state, id, message)] : []), taskEvent(state, id, task, true)];
}

/** Resumes the call that waits for the task. */
export function releaseTask(state: ReplyState, id: string, task: McpTask): readonly EventDraft[] {
  return [taskEvent(state, id, task, false)];
}

/** The result of a call whose task a person has stopped. */
export function stoppedTask(state: ReplyState, tool_call_id: string): readonly EventDraft[] {
  const target = { reply_id: state.message.id, tool_call_id };
  const delta = "The task was stopped by a person. It is not known how much of its work was done.";
  const metadata = resultMetadata(state, tool_call_id, { stopped_by: "person" });
  return [
    { type: "TOOL_RESULT_TEXT_DELTA", ...target, delta },
    { type: "TOOL_RESULT_END", ...target, state: "error", metadata },
  ];
}

function taskEvent(state: ReplyState, id: string, task: McpTask, waits: boolean): EventDraft {
  const reply_id = state.message.id;
  const value: McpTaskValue = { reply_id, tool_call_id: id, ...task, waits };
  return { type: "CUSTOM", name: MCP_TASK, reply_id, value: { ...value } };
}

function progressOf(state: ReplyState, tool_call_id: string, message: string): EventDraft {
  const reply_id = state.message.id;
  const value: ToolProgressValue = { reply_id, tool_call_id, message, progress: null, total: null };
  return { type: "CUSTOM", name: TOOL_PROGRESS, reply_id, value: { ...value } };
}
