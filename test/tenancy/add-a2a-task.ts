// A task of A2A in a context of its own, with an address that is told of it: it has ended, so nothing is sent.
import type { A2aPushConfig, A2aTask } from "../../protocol/a2a/wire.ts";
import { ask, type Call } from "../worker/support/api.ts";

/** In the query, since rows of the suite have no headers. */
export const A2A_QUERY = "A2A-Version=1.0";

/** @param contextId That of a new session when left out. */
export function messageRequest(text: string, contextId?: string) {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
  return { message: { ...message, ...(contextId !== undefined && { contextId }) } };
}

export async function addA2aTask(call: Call, agentId: string, word: string) {
  const base = `/v1/agents/${agentId}/a2a`;
  const sent = await ask<{ task: A2aTask }>("POST", `${base}/message:send?${A2A_QUERY}`, {
    ...call,
    json: messageRequest(`Hello from ${word}-said`, `context-${word}`),
  });
  const { id } = sent.json.task;
  const made = await ask<A2aPushConfig>(
    "POST",
    `${base}/tasks/${id}/pushNotificationConfigs?${A2A_QUERY}`,
    { ...call, json: { id: `config-${word}`, url: `https://${word}.example/${word}-hook` } },
  );
  if (made.status !== 200) throw new Error(`${made.status}: ${made.text}`);
  return { a2a_task_id: id, a2a_config_id: `config-${word}` };
}
