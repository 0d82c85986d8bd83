import type { SessionSummary } from "../protocol/api/sessions.ts";
import { publishSession } from "../storage/session-webhooks.ts";
import type { AppContext } from "./app-env.ts";
import { inBackground } from "./in-background.ts";
import { tenantOf } from "./principal.ts";

/** Tells the tenant's webhook endpoints that a session was opened or erased. The answer does not wait for it. */
export function tellOfSession(
  context: AppContext,
  type: "session.created" | "session.deleted",
  { id, agent_id, end_user_id }: Pick<SessionSummary, "id" | "agent_id" | "end_user_id">,
  timestamp: string,
): void {
  const told = { tenant_id: tenantOf(context), session_id: id, agent_id, end_user_id };
  inBackground(`telling of ${type}`, publishSession(context.env, type, told, timestamp));
}
