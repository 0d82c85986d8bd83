// The sessions that a caller of MCP may talk to: those of the agent and, for an end user, those that are theirs, and none
// that another agent has called.
import type { Session } from "../../protocol/sessions/contract.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import { isId } from "../../protocol/ids.ts";
import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";
import { sessionStub } from "../objects/session-stub.ts";

/** The end user who sends the request; null for an API key. */
export function endUserOf(context: AppContext): string | null {
  const principal = context.get("principal");
  return principal.kind === "end_user" ? principal.endUserId : null;
}

/** One refusal for a session that does not exist, is another agent's, or is another end user's. */
export async function findConversation(
  context: AppContext,
  agentId: string,
  sessionId: string,
): Promise<Result<Session>> {
  if (!isId("ses", sessionId)) return unknownSession();
  const found = await sessionStub(context.env, tenantOf(context), sessionId).act("read");
  if (!found.ok) return found.refusal.code === "not_found" ? unknownSession() : found;
  const endUserId = endUserOf(context);
  const { agent_id, end_user_id, parent_session_id } = found.value;
  // Left out by objects of the release before.
  const isCalled = (parent_session_id ?? null) !== null;
  const isTheirs = end_user_id === endUserId && !isCalled;
  const isFound = endUserId === null || isTheirs;
  return isFound && agent_id === agentId ? found : unknownSession();
}

function unknownSession(): Result<never> {
  return refuse("not_found", "there is no such session; ask without session_id to begin one");
}
