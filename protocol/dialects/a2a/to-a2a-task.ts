// A task as answers show it, from the view of its reply.
import { A2A_EXTENSION, type A2aUsage } from "../../a2a/extension.ts";
import type { A2aMessage, A2aTask } from "../../a2a/wire.ts";
import { waitingCalls } from "../../agent-mcp/waiting-calls.ts";
import type { TextOrDataBlock } from "../../messages/blocks.ts";
import type { Msg } from "../../messages/messages.ts";
import type { Reply, ReplyStatus } from "../../replies/contract.ts";
import { artifactsOf, mediaPart } from "./artifacts.ts";
import { a2aTaskState } from "./task-state.ts";
import { isTerminalTask, taskStatus, type A2aTaskNames, type TaskPhase } from "./task-status.ts";

interface ShownReply {
  /** The reply has not begun. */
  readonly isQueued: boolean;
  /** False leaves the task's outputs out. */
  readonly hasArtifacts: boolean;
  /** The time of the newest event of a reply that is open; null where it is not known. */
  readonly at: string | null;
}

export function toA2aTask(
  names: A2aTaskNames,
  reply: Reply,
  { isQueued, hasArtifacts, at }: ShownReply,
): A2aTask {
  const { message, error } = reply;
  const asked = waitingCalls(reply).map(({ call }) => call);
  const isBegun = !isQueued && (message !== null || reply.status !== "running");
  const status = isBegun ? waitingStatus(reply) : "submitted";
  const since = isBegun ? (message?.finished_at ?? at) : null;
  const usage = message && usageOf(message);
  const artifacts = hasArtifacts && message ? artifactsOf(message) : [];
  return {
    id: names.task_id,
    contextId: names.context_id,
    status: taskStatus(names, { status, asked, error, at: since }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(usage && isEnded(status) && { metadata: { [A2A_EXTENSION]: usage } }),
  };
}

/** The tokens of a reply that has called a model; null for one that has not. */
export function usageOf({ usage }: Pick<Msg, "usage">): A2aUsage | null {
  if (!usage) return null;
  const { input_tokens, output_tokens } = usage;
  return { usage: { input_tokens, output_tokens } };
}

function isEnded(status: TaskPhase): boolean {
  return status !== "submitted" && isTerminalTask(a2aTaskState(status, []));
}

/** The status of a reply. One whose agents wait for an answer runs, and can do nothing else than to wait for them. */
export function waitingStatus(
  reply: Pick<Reply, "status" | "pending" | "subagents" | "message">,
): ReplyStatus {
  const { status, subagents = [], message } = reply;
  if (status !== "running") return status;
  const asking = subagents.filter(({ pending = [] }) => pending.length > 0);
  if (asking.length === 0) return status;
  const isWorking = subagents.some((one) => one.status !== "ended" && !asking.includes(one));
  const asks = new Set(asking.map(({ tool_call_id }) => tool_call_id));
  const isRunning = message?.content.some(
    (block) => block.type === "tool_call" && block.state !== "finished" && !asks.has(block.id),
  );
  return isWorking || isRunning ? status : "awaiting_permission";
}

/** The messages of a conversation as a task's history: texts and media. */
export function toHistory(
  { task_id, context_id }: A2aTaskNames,
  messages: readonly Msg[],
): readonly A2aMessage[] {
  return messages.flatMap(({ id, role, content }): readonly A2aMessage[] => {
    const parts = content.flatMap((block) =>
      block.type === "text" || block.type === "data" ? partOf(block) : [],
    );
    if (role === "system" || parts.length === 0) return [];
    const sender = role === "user" ? "ROLE_USER" : "ROLE_AGENT";
    return [{ messageId: id, contextId: context_id, taskId: task_id, role: sender, parts }];
  });
}

function partOf(block: TextOrDataBlock) {
  return block.type === "text" ? { text: block.text } : mediaPart(block);
}
