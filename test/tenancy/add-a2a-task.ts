// A task of A2A in a context of its own, with an address that is told of it: it has ended, so nothing is sent.
import { env } from "cloudflare:workers";

import type { A2aPushConfig, A2aTask } from "../../protocol/a2a/wire.ts";
import { signToken } from "../../storage/secrets/signed-token.ts";
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

/** Of an address that an agent might have been given for a call of the session. */
export function remotePushToken(place: {
  readonly tenant_id: string;
  readonly session_id: string;
}): Promise<string> {
  // Longer than the slowest machine takes for all of it.
  const exp = Date.now() + 3_600_000;
  return signToken("remote_push", { ...place, push_id: "push", exp }, env.KEY_PEPPER);
}
