import { CONTEXT_FOLD, type ContextState } from "../../agent/context/context-fold.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { CHARACTERS_OF_A_TOKEN } from "../../protocol/diagnostics/limits.ts";
import { windowOf } from "../settings/window-of.ts";
import { contextStart } from "../context/context-start.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/** Settings that could not be read have an agent without these. */
interface UnsureInit {
  readonly agent: Partial<Pick<AgentDefinition, "model" | "system_prompt" | "context">>;
}

/**
 * Tokens of a request that another machine has sent, which this one no longer knows: by the bytes of the stored
 * conversation, as far as it is sent. Asked after a crash alone, because it reads a row for each message.
 */
export function estimateConversationTokens(
  { agent }: UnsureInit,
  { abilities, messages }: Pick<SessionTables, "abilities" | "messages">,
): number {
  const window = windowOf(agent);
  const enough = window * CHARACTERS_OF_A_TOKEN;
  const from = contextStart(readState(abilities), messages);
  const stored = messages.storedBytes(from, enough);
  const characters = stored + (agent.system_prompt ?? "").length;
  // Stored media take many more bytes than tokens.
  return Math.min(Math.ceil(characters / CHARACTERS_OF_A_TOKEN), window);
}

/** The state of the context, or the initial one where it cannot be read: the reply that is being ended must not fail for that. */
function readState(abilities: SessionTables["abilities"]): ContextState {
  try {
    return abilities.read(CONTEXT_FOLD);
  } catch {
    return CONTEXT_FOLD.initial;
  }
}
