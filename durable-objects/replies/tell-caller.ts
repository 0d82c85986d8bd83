import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { SessionInit } from "../api/session-api.ts";
import { calledStub } from "./called-stub.ts";

/**
 * Tells the caller that a reply of this session has ended or waits. Contract: never rejects; a caller that is not told finds
 * it out with its next look.
 */
export async function tellCaller(
  env: Pick<Env, "SESSION">,
  { tenant_id, parent }: Pick<SessionInit, "tenant_id" | "parent">,
): Promise<void> {
  if (!parent || parent.is_over) return;
  const { session_id, tool_call_id } = parent;
  try {
    const caller = calledStub(env, { tenant_id, session_id });
    await withinDeadline(caller.act("noteCalled", { tool_call_id }), AGENT_ANSWER_MS);
  } catch (error) {
    console.warn("the caller of an agent was not told; it will look", {
      session_id,
      error: String(error),
    });
  }
}
