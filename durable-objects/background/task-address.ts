// The address to which the result of a call may be posted.
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { signToken } from "../../storage/secrets/signed-token.ts";
import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { StoredTask } from "../tables/background-table.ts";

/** Null where the platform does not know its own origin. */
export async function taskAddress(
  env: Env,
  { tenant_id, session_id, origin }: Pick<SessionInit, "tenant_id" | "session_id" | "origin">,
  { id: task_id, expires_at: exp }: Pick<StoredTask, "id" | "expires_at">,
): Promise<string | null> {
  const ownOrigin = readPublicUrl(env) ?? origin ?? null;
  if (ownOrigin === null) return null;
  const claims = { tenant_id, session_id, task_id, exp };
  const token = await signToken("task_callback", claims, keyPepperOf(env).current);
  return `${ownOrigin}/v1/task-callbacks/${token}`;
}
