import {
  MCP_TASK,
  type McpTask,
  type McpTaskValue,
} from "../../protocol/custom-events/mcp-tasks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** The call waits for its task, with a line of its result for what is new about it. */
export function awaitTask(
  state: ReplyState,
  { id }: Pick<ToolCallBlock, "id">,
  task: McpTask,
): readonly EventDraft[] {
  const { message } = task;
  const isNew = message !== null && message !== state.tasks.get(id)?.message;
  return [...(isNew ? [lineOf(state, id, message)] : []), taskEvent(state, id, task, true)];
}

/** The call that waits for it goes on. */
export function releaseTask(state: ReplyState, id: string, task: McpTask): readonly EventDraft[] {
  return [taskEvent(state, id, task, false)];
}

function taskEvent(state: ReplyState, id: string, task: McpTask, waits: boolean): EventDraft {
  const reply_id = state.message.id;
  const value: McpTaskValue = { reply_id, tool_call_id: id, ...task, waits };
  return { type: "CUSTOM", name: MCP_TASK, reply_id, value: { ...value } };
}

function lineOf(state: ReplyState, tool_call_id: string, message: string): EventDraft {
  const reply_id = state.message.id;
  return { type: "TOOL_RESULT_TEXT_DELTA", reply_id, tool_call_id, delta: `${message}\n` };
}
