// A guess of a context's size that reads nothing: whether a compression may be due when a reply has ended. What is due then
// is counted before anything is summarised.
import { contextLimits } from "../../agent/context/context-limits.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { CONTEXT_COMPRESSED, CONTEXT_TRUNCATED } from "../../protocol/context/events.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { BYTES_PER_TOKEN } from "../../protocol/context/limits.ts";
import { windowOf } from "../settings/window-of.ts";

/** The size of a reply's context at one moment of the reply. */
export interface ContextSize {
  /** Bytes of text, as far as it was not counted. */
  readonly bytes: number;
  /** As counted. */
  readonly tokens: number;
  /** Characters of the reply's own message at that moment; its later ones come on top. */
  readonly characters: number;
}

/** Before a reply was run. */
export const NO_CONTEXT: ContextSize = { bytes: 0, tokens: 0, characters: 0 };

/** Settings that could not be read have an agent without these. */
type UnsureAgent = Partial<Pick<AgentDefinition, "model" | "context">>;

/** Whether the context of a reply that has ended may be above its soft threshold. */
export function isContextLarge(
  { context = {}, model }: UnsureAgent,
  { last_call, characters }: Pick<ReplyState, "last_call" | "characters">,
  before: ContextSize,
): boolean {
  if (context.compression_enabled === false) return false;
  const { counter, soft } = contextLimits(context, windowOf({ context, model }));
  const bytes = before.bytes + Math.max(characters - before.characters, 0);
  const guess = before.tokens + (counter === "chars" ? bytes : bytes / BYTES_PER_TOKEN);
  const reported = counter === "provider" ? last_call?.tokens : undefined;
  return (reported ?? guess) >= soft;
}

/** Tokens that an event has left of the context; null for an event that has made it no smaller. */
export function leftTokens(event: LoggedEvent): number | null {
  if (event.type !== "CUSTOM") return null;
  if (event.name !== CONTEXT_COMPRESSED && event.name !== CONTEXT_TRUNCATED) return null;
  const tokens = event.value["tokens_after"];
  return typeof tokens === "number" ? tokens : null;
}
