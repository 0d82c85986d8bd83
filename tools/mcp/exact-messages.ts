// Messages of a server in which the structured content of a result keeps the digits of its numbers: the model may read it as
// text. All other members are for programs, which compute with doubles.
import { mayBeInexact, parseExact, withDoubles } from "../../agent/exact-number.ts";
import { readMcpMessages, type McpMessageIn } from "../../protocol/mcp/read-messages.ts";

/** As `readMcpMessages`. */
export function exactMessages(text: string): readonly McpMessageIn[] | null {
  if (!mayBeInexact(text)) return readMcpMessages(text);
  return readMcpMessages(text, parseExact)?.map(withExactContent) ?? null;
}

function withExactContent(message: McpMessageIn): McpMessageIn {
  if (message.kind !== "result" || !("structuredContent" in message.result)) {
    return withDoubles(message) as McpMessageIn;
  }
  const { structuredContent, ...others } = message.result;
  const result = { ...(withDoubles(others) as typeof others), structuredContent };
  return { ...message, result };
}
