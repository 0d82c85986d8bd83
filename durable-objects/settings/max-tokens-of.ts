import { MAX_REPLY_TOKENS } from "../../protocol/replies/limits.ts";
import type { SessionInit } from "../api/session-api.ts";

/** Tokens of one reply: the agent's budget, and what its caller has left for it. */
export function maxTokensOf({ agent, bounds }: Pick<SessionInit, "agent" | "bounds">): number {
  const own = agent.budget?.max_tokens ?? MAX_REPLY_TOKENS;
  return Math.min(own, bounds?.max_tokens ?? own);
}
