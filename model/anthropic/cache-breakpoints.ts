// Marks where the provider may cache the prompt. Four marks are allowed: the last tool, the system prompt, and the last
// blocks of the last two messages of the user, so that a call finds what the one before it has stored even if more than
// twenty blocks have come since.
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  TextBlockParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages";

import type { Turn } from "./to-anthropic-messages.ts";

const EPHEMERAL: { readonly cache_control: CacheControlEphemeral } = {
  cache_control: { type: "ephemeral" },
};
const MARKED_MESSAGES = 2;

export function markSystem(system_prompt: string): TextBlockParam[] {
  return [{ type: "text", text: system_prompt, ...EPHEMERAL }];
}

export function markTools(tools: readonly Tool[]): Tool[] {
  return tools.map((tool, index) =>
    index === tools.length - 1 ? { ...tool, ...EPHEMERAL } : tool,
  );
}

export function markMessages(turns: readonly Turn[]): Turn[] {
  const users = turns.filter(({ role }) => role === "user").slice(-MARKED_MESSAGES);
  return turns.map((turn) =>
    users.includes(turn) ? { ...turn, content: markLast(turn.content) } : turn,
  );
}

function markLast(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  return content.map((block, index) =>
    // Thoughts cannot be marked; the user has none.
    index < content.length - 1 || block.type === "thinking" || block.type === "redacted_thinking"
      ? block
      : { ...block, ...EPHEMERAL },
  );
}
