// The end of a task at an agent that gives replies, where no reply is run any more.
import type { OpenAgentPorts } from "../../a2a/open-remote-agent.ts";
import { openRemoteAgent } from "../../a2a/open-remote-agent.ts";
import type { RemoteConversation } from "../../protocol/a2a/remote-conversation.ts";
import type { RemoteAgentModel } from "../../protocol/models/contract.ts";
import { authorOf } from "./author-of.ts";

/** Cancels the conversation's task there, once. One of another agent's is left alone. Contract: never rejects. */
export async function cancelConversation(
  definition: RemoteAgentModel,
  { author, task_id }: Pick<RemoteConversation, "author" | "task_id">,
  ports: OpenAgentPorts,
  signal: AbortSignal,
): Promise<void> {
  const opened = await openRemoteAgent(definition, ports, signal);
  if (!opened.ok || task_id === null || authorOf(opened.card) !== author) return;
  await opened.connect().cancelTask(task_id, { signal });
}
