// The time that a reply has run, and may run, without the time in which it waited or had no machine.
import { DEFAULT_REPLY_SECONDS } from "../../protocol/replies/limits.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** The time since its execution began; 0 for a reply that does not run. */
export function runningMs(since: number | null, untilMs: number): number {
  return since === null ? 0 : Math.max(untilMs - since, 0);
}

export function maxRunMs({ agent }: Pick<SessionInit, "agent">): number {
  return (agent.budget?.max_seconds ?? DEFAULT_REPLY_SECONDS) * 1_000;
}

/** The rest of a reply's time. */
export function leftRunMs(
  { replies }: Pick<SessionTables, "replies">,
  replyId: string,
  init: Pick<SessionInit, "agent">,
): number {
  const { run_ms, running_since } = replies.journal(replyId);
  return maxRunMs(init) - run_ms - runningMs(running_since, Date.now());
}
