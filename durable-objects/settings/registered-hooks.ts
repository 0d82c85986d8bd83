import type { RegisteredHook } from "../../agent/hooks/hook-runner.ts";
import { observingHook } from "../../tools/hook-runner.ts";
import type { SessionInit } from "../api/session-api.ts";

const NONE: readonly RegisteredHook[] = [];

/**
 * The session's own hooks, then those of its agent: the agent's see what the session's have made of it. Last what an agent
 * in code observes.
 */
export function registeredHooks({
  agent,
  hooks,
}: Pick<SessionInit, "agent" | "hooks">): readonly RegisteredHook[] {
  if (!hooks && !agent.hooks && !agent.code_agent) return NONE;
  const observing = observingHook(agent.code_agent);
  return [
    ...(hooks?.list ?? []).map((definition) => ({ definition, origin: "session" }) as const),
    ...[...(agent.hooks ?? []), ...(observing ? [observing] : [])].map(
      (definition) => ({ definition, origin: "agent" }) as const,
    ),
  ];
}
