import type { Msg } from "../messages/messages.ts";
import { generateReasonOf, type GenerateReason } from "./generate-reason.ts";
import type { JsonObject } from "../json-object.ts";
import { withOwnMembers } from "./own-members.ts";
import { toJavaBlock } from "./to-agentscope-java-block.ts";

/** Java's metadata key for the reason a message ended. */
const GENERATE_REASON = "agentscope_generate_reason";

/**
 * A message as AgentScope for Java writes it. A message of results alone has the role TOOL; a reply's own is
 * ASSISTANT, with the results among its blocks.
 * @param requested The reason that a hook has stopped the reply with; null when none did.
 */
export function toJavaMessage(message: Msg, requested: GenerateReason | null = null): JsonObject {
  const { id, name, content, usage, finished_at, finished_reason, error, structured_output } =
    message;
  const reason = requested ?? generateReasonOf(message);
  const own = { finished_at, finished_reason, error, structured_output };
  const metadata = withOwnMembers(
    { ...message.metadata, ...(reason && { [GENERATE_REASON]: reason }) },
    Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null)),
  );
  return {
    id,
    name,
    role: roleOf(message),
    content: content.map(toJavaBlock),
    ...(metadata && { metadata }),
    timestamp: toJavaTime(message.created_at),
    ...(usage && { usage: toJavaUsage(usage) }),
  };
}

export function toJavaUsage(usage: NonNullable<Msg["usage"]>): JsonObject {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheInputTokens: usage.cache_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
  };
}

function roleOf({ role, content }: Msg): string {
  const isTool = content.length > 0 && content.every(({ type }) => type === "tool_result");
  return isTool ? "TOOL" : role.toUpperCase();
}

/** `2026-01-31T12:00:00.000Z` → `2026-01-31 12:00:00.000`; a time of another form stays. */
function toJavaTime(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d\.\d{3})Z$/, "$1 $2");
}
