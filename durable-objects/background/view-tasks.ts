// The API's view of a session's tasks: calls that were let go, and calls of the open reply that wait for tasks of MCP
// servers and of other systems' agents.
import type { KeptTask } from "../../agent/mcp/kept-task.ts";
import type { SessionTask } from "../../protocol/background/contract.ts";
import { stableId } from "../../storage/statements/stable-id.ts";
import type { ActiveReply } from "../replies/active-reply.ts";
import type { StoredTask } from "../tables/background-table.ts";
import type { CallTable } from "../tables/call-table.ts";

export interface ListedMcpTask {
  readonly callId: string;
  readonly view: SessionTask;
}

export function viewTask(task: StoredTask): SessionTask {
  const { id, reply_id, tool_call_id, tool_name, message, waits_for, wake, woken_reply_id } = task;
  return {
    id,
    kind: "background",
    reply_id,
    tool_call_id,
    tool_name,
    status: task.status === "attached" ? "working" : task.status,
    message,
    waits_for,
    created_at: timestamp(task.created_at),
    expires_at: timestamp(task.expires_at),
    ended_at: task.ended_at === null ? null : timestamp(task.ended_at),
    woken_reply_id,
    paused: wake === "paused",
  };
}

/** A server's own id may be all that its result needs, so that a task has another one here. */
export async function listMcpTasks(
  sessionId: string,
  reply: ActiveReply | null,
  calls: Pick<CallTable, "task">,
): Promise<readonly ListedMcpTask[]> {
  if (!reply) return [];
  const kept = reply.state.message.content.flatMap((block) => {
    if (block.type !== "tool_result" || block.state !== "running") return [];
    const task = calls.task(block.id);
    return task ? [{ callId: block.id, tool_name: block.name, task }] : [];
  });
  return Promise.all(
    kept.map(async ({ callId, tool_name, task }) => {
      const id = await stableId("task", task.created_at, `${sessionId}:${callId}`);
      return { callId, view: viewMcpTask(task, { id, callId, tool_name, reply_id: reply.id }) };
    }),
  );
}

function viewMcpTask(
  { status, message, created_at, expires_at, remote }: KeptTask,
  of: Pick<SessionTask, "id" | "tool_name" | "reply_id"> & { readonly callId: string },
): SessionTask {
  return {
    id: of.id,
    kind: remote ? "a2a" : "mcp",
    reply_id: of.reply_id,
    tool_call_id: of.callId,
    tool_name: of.tool_name,
    status,
    message,
    waits_for: null,
    created_at: timestamp(created_at),
    expires_at: timestamp(expires_at),
    ended_at: null,
    woken_reply_id: null,
    paused: false,
  };
}

function timestamp(unixMs: number): string {
  return new Date(unixMs).toISOString();
}
