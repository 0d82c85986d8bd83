import type { AgentDefinition } from "../../protocol/api/agents.ts";
import { DEFAULT_CONTEXT_SIZE } from "../../protocol/limits/context.ts";
import { CHARACTERS_OF_A_TOKEN } from "../../protocol/limits/diagnostics.ts";
import type { MessageTable } from "../tables/message-table.ts";

/** Settings that could not be read have an agent without these. */
interface UnsureInit {
  readonly agent: Partial<Pick<AgentDefinition, "model" | "system_prompt">>;
}

/**
 * Tokens of a request that another machine has sent, which this one no longer knows: by the bytes of the stored
 * conversation. Asked after a crash alone, because it reads a row for each message.
 */
export function estimateConversationTokens(
  { agent }: UnsureInit,
  { messages }: { readonly messages: Pick<MessageTable, "storedBytes"> },
): number {
  const characters = messages.storedBytes() + (agent.system_prompt ?? "").length;
  const tokens = Math.ceil(characters / CHARACTERS_OF_A_TOKEN);
  // Stored media take many more bytes than tokens.
  return Math.min(tokens, agent.model?.context_size ?? DEFAULT_CONTEXT_SIZE);
}
