// The result of a call that is let go: a note with the task's id, in the commit that begins the task.
import {
  BACKGROUND_TASK_STARTED,
  type BackgroundTaskStartedValue,
} from "../../protocol/background/events.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { LetGo } from "../tool-chunk.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { resultMetadata } from "../state/result-metadata.ts";

/** Behind what the tool has said so far. */
export function letGoEvents(
  state: ReplyState,
  { id, name }: ToolCallBlock,
  { task_id, waits_for, expires_at }: LetGo,
): readonly EventDraft[] {
  const reply_id = state.message.id;
  const target = { reply_id, tool_call_id: id };
  const untrusted = state.untrusted_results.get(id);
  const value: BackgroundTaskStartedValue = {
    task_id,
    ...target,
    tool_name: name,
    waits_for,
    expires_at,
    ...(untrusted && { untrusted }),
  };
  const hasOutput = state.message.content.some(
    (block) => block.type === "tool_result" && block.id === id && block.output.length > 0,
  );
  const metadata = resultMetadata(state, id, { background_task: task_id });
  return [
    { type: "CUSTOM", name: BACKGROUND_TASK_STARTED, reply_id, value: { ...value } },
    {
      type: "TOOL_RESULT_TEXT_DELTA",
      ...target,
      delta: `${hasOutput ? "\n" : ""}${note(task_id)}`,
    },
    { type: "TOOL_RESULT_END", ...target, state: "success", metadata },
  ];
}

function note(taskId: string): string {
  return (
    `The tool works on in the background, as the task ${taskId}. There is no result yet: you will be told when there is, ` +
    "also after you have answered. Do not call the tool again for the same work, and do not wait for it; " +
    "ToolStop stops the task."
  );
}
