// A background task of a session, as a tool with an answer 202 has left it.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { formatId, ID_RANDOM_BYTES } from "../../../protocol/ids.ts";
import { signToken } from "../../../storage/secrets/signed-token.ts";

interface OfSession {
  readonly tenant_id: string;
  readonly session_id: string;
  /** One that the session has. */
  readonly reply_id: string;
}

interface WorkingTask {
  readonly task_id: string;
  /** The signed part of the address to which its result may be posted. */
  readonly task_token: string;
}

/** Longer than the slowest machine takes for all of it. */
const HOUR_MS = 3_600_000;

export async function addWorkingTask(
  { tenant_id, session_id, reply_id }: OfSession,
  tool_name = "report",
  maxBytes = 1_000,
): Promise<WorkingTask> {
  const nowMs = Date.now();
  const random = crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES));
  const task_id = formatId("task", nowMs, random);
  const exp = nowMs + HOUR_MS;
  const stub = env.SESSION.getByName(sessionObjectName(tenant_id, session_id));
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec(
      `INSERT INTO background_tasks
         (id, tool_call_id, reply_id, tool_name, status, waits_for, max_bytes, created_at, expires_at)
       VALUES (?, ?, ?, ?, 'working', 'callback', ?, ?, ?)`,
      task_id,
      `call-of-${task_id}`,
      reply_id,
      tool_name,
      maxBytes,
      nowMs,
      exp,
    );
  });
  const claims = { tenant_id, session_id, task_id, exp };
  return { task_id, task_token: await signToken("task_callback", claims, env.KEY_PEPPER) };
}
