import type { AgentDefinition } from "../../protocol/api/agents.ts";
import { CHARACTERS_OF_A_TOKEN } from "../../protocol/limits/diagnostics.ts";
import { windowOf } from "../settings/window-of.ts";
import { contextStart, type ContextTables } from "../context/context-start.ts";

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
  tables: ContextTables,
): number {
  const window = windowOf(agent);
  const enough = window * CHARACTERS_OF_A_TOKEN;
  const stored = tables.messages.storedBytes(contextStart(tables), enough);
  const characters = stored + (agent.system_prompt ?? "").length;
  // Stored media take many more bytes than tokens.
  return Math.min(Math.ceil(characters / CHARACTERS_OF_A_TOKEN), window);
}
