// An address of ours that the agent of a task is given, so that it tells when the task has changed. What it posts is believed
// by nobody: it makes us look. An agent that does not take the address is asked for its task, as any other.
import type { KeptTask } from "../../agent/mcp/kept-task.ts";
import type { RemoteAgentClient } from "../../a2a/client/remote-client.ts";
import { REMOTE_PUSH_CONFIG_MS, REMOTE_REQUEST_MS } from "../../protocol/a2a/client-limits.ts";
import type { RemoteCall } from "./remote-call.ts";

/**
 * Gives the agent the address, once for a task, where its card has push notifications.
 * @param keep On disk before the address leaves: what is posted there at once is known.
 * @returns The task as it is to be kept.
 */
export async function requestPushes(
  { client, request, remote }: Pick<RemoteCall, "client" | "request" | "remote">,
  task: KeptTask,
  keep: (task: KeptTask) => void,
  signal: AbortSignal,
): Promise<KeptTask> {
  if (!client.canPush || task.push?.config_id) return task;
  const address = await remote?.pushAddress?.(request.tool_call_id, task.expires_at);
  if (!address) return task;
  const { push: _, ...before } = task;
  const asked = { ...before, push: { id: address.id, config_id: null, look_at: 0 } };
  keep(asked);
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(REMOTE_PUSH_CONFIG_MS)]);
  const made = await client.createPush(task.id, address, { signal: bounded });
  if (made.ok) return { ...asked, push: { ...asked.push, config_id: made.value } };
  return made.failure.mayHaveArrived ? asked : before;
}

/** Nothing more has to be told of the task. Contract: never rejects; an agent that keeps the address is not believed more. */
export async function endPushes(client: RemoteAgentClient, { id, push }: KeptTask): Promise<void> {
  if (!push) return;
  const signal = AbortSignal.timeout(REMOTE_REQUEST_MS);
  await client.deletePush(id, push.config_id ?? push.id, { signal });
}
