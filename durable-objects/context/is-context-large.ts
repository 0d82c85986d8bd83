import { contextLimits } from "../../agent/context/context-limits.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import type { AgentDefinition } from "../../protocol/api/agents.ts";
import { BYTES_PER_TOKEN } from "../../protocol/limits/context.ts";
import { windowOf } from "../settings/window-of.ts";

/** Settings that could not be read have an agent without these. */
type UnsureAgent = Partial<Pick<AgentDefinition, "model" | "context">>;

/**
 * Whether the context may be above its soft threshold when a reply has ended: a guess that reads nothing. What is due then
 * is counted before anything is summarised.
 * @param historyBytes Text of the messages before the reply, as they were read for it; 0 when it was not run here.
 */
export function isContextLarge(
  { context = {}, model }: UnsureAgent,
  { last_call, characters }: Pick<ReplyState, "last_call" | "characters">,
  historyBytes: number,
): boolean {
  if (context.compression_enabled === false) return false;
  const { counter, soft } = contextLimits(context, windowOf({ context, model }));
  const size = historyBytes + characters;
  const guess = counter === "chars" ? size : size / BYTES_PER_TOKEN;
  const reported = counter === "provider" ? last_call?.tokens : undefined;
  return (reported ?? guess) >= soft;
}
