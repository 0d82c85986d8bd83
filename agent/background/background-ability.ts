// Background tasks as an agent has them: the tool that stops one, and what it is told of those that people have stopped.
import {
  BACKGROUND_TASK_ENDED,
  BACKGROUND_TASKS,
  endedTaskOf,
  TOOL_STOP,
  type BackgroundTaskEndedValue,
} from "../../protocol/background/events.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";
import type { Announcement } from "../../protocol/webhooks/announcement.ts";
import type { Ability, AbilityDefinition, Settlement } from "../ability.ts";
import type { ToolDeclaration } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { BACKGROUND_FOLD, type BackgroundState } from "./background-state.ts";

/** AgentScope's tool of this name. */
const STOP: ToolDeclaration = {
  name: TOOL_STOP,
  description:
    "Stops a background task whose result is not needed any more. It will have no result, and what its tool has done already stays done.",
  input_schema: {
    type: "object",
    properties: {
      task_id: {
        type: "string",
        maxLength: 64,
        description: "The task's id, as the call that was let go has named it.",
      },
    },
    required: ["task_id"],
  },
  read_only: false,
  concurrency_safe: true,
  idempotent: false,
  permission_default: "allow",
};

export const BACKGROUND: AbilityDefinition<BackgroundState> = {
  state: BACKGROUND_FOLD,
  open: ({ agent: { tools }, isCalled, stateOf }) =>
    // Calls in the session of a called agent are not let go.
    backgroundAbility(isCalled ? [] : tools, () => stateOf(BACKGROUND_FOLD)),
  announces: announceEnd,
};

function backgroundAbility(tools: readonly ToolDefinition[], read: () => BackgroundState): Ability {
  const mayLetGo = tools.some(
    (tool) => tool.type === "http" && tool.background_after_ms !== undefined,
  );
  return {
    name: BACKGROUND_TASKS,
    hint: { source: BACKGROUND_TASKS, outlivesReply: true, text: () => describeStopped(read()) },
    tools: {
      kind: "log",
      // The version that has such tools may be gone while their tasks work on.
      declare: () => (mayLetGo || read().working.length > 0 ? [STOP] : []),
      settle: ({ input }, reply) => stopTask(reply, input as { task_id: string }, read()),
    },
  };
}

function stopTask(
  reply: ReplyState,
  { task_id }: { readonly task_id: string },
  { working }: BackgroundState,
): Settlement {
  const task = working.find((one) => one.task_id === task_id);
  if (!task) {
    const ids = working.map((one) => one.task_id).join(", ");
    const known = ids === "" ? "No task works." : `These work: ${ids}.`;
    return {
      text: `No task ${task_id} works, so there is nothing to stop. ${known}`,
      isError: true,
    };
  }
  const value: BackgroundTaskEndedValue = {
    ...task,
    status: "cancelled",
    message: "It was stopped by the agent.",
    stopped_by: "agent",
    paused: false,
  };
  const reply_id = reply.message.id;
  return {
    text: `The task ${task_id} of ${task.tool_name} was stopped.`,
    after: [{ type: "CUSTOM", name: BACKGROUND_TASK_ENDED, reply_id, value: { ...value } }],
  };
}

function describeStopped({ stopped }: BackgroundState): string | null {
  if (stopped.length === 0) return null;
  const named = stopped.map(({ task_id, tool_name }) => `${task_id} (${tool_name})`).join(", ");
  const what = stopped.length === 1 ? "This background task was" : "These background tasks were";
  return `${what} stopped by a person and will have no result: ${named}.`;
}

function announceEnd(event: LoggedEvent): Announcement | null {
  const ended = endedTaskOf(event);
  if (!ended) return null;
  const { task_id, tool_name, tool_call_id, status, paused } = ended;
  return {
    type: "task.ended",
    data: { task_id, tool_name, tool_call_id, task_status: status, paused },
  };
}
