// One look at a task of an agent of another system, while nothing runs.
import { readRemoteTask } from "../../agent/a2a/remote-task.ts";
import {
  heardOf,
  isSilentTooLong,
  isTaskDue,
  unheardOf,
  type KeptTask,
} from "../../agent/mcp/kept-task.ts";
import { isFinal } from "../../a2a/client/follow-remote-task.ts";
import { openRemoteAgent, type OpenAgentPorts } from "../../a2a/open-remote-agent.ts";
import type { A2aTool } from "../../protocol/tools/a2a-tool.ts";
import { endPushes } from "./call-pushes.ts";

export interface RemoteLook {
  readonly task: KeptTask;
  /** Whether the call goes on: there is something to do, or nothing more to wait for. */
  readonly isDue: boolean;
}

/** Contract: never rejects, and ends soon after `signal`. */
export async function lookAtRemoteTask(
  tool: A2aTool,
  kept: KeptTask,
  ports: OpenAgentPorts,
  signal: AbortSignal,
): Promise<RemoteLook> {
  const opened = await openRemoteAgent(tool, ports, signal);
  const fetched = opened.ok ? await opened.connect().getTask(kept.id, { signal }) : null;
  const nowMs = Date.now();
  if (fetched?.ok) {
    const task = heardOf(kept, readRemoteTask(fetched.value), nowMs);
    return { task, isDue: isTaskDue(task, [], nowMs) };
  }
  const task = unheardOf(kept, nowMs);
  const isOver = fetched ? isFinal(fetched.failure) : false;
  return { task, isDue: isOver || isSilentTooLong(task, nowMs) };
}

/** Cancels a task there, once, and has nothing more posted of it. Contract: never rejects. */
export async function cancelRemoteTask(
  tool: A2aTool,
  task: KeptTask,
  ports: OpenAgentPorts,
  signal: AbortSignal,
): Promise<void> {
  const opened = await openRemoteAgent(tool, ports, signal);
  if (!opened.ok) return;
  const client = opened.connect();
  await client.cancelTask(task.id, { signal });
  await endPushes(client, task);
}
