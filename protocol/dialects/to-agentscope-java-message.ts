import type { JavaMsg } from "../messages/message-forms.ts";
import type { Msg } from "../messages/messages.ts";
import { generateReasonOf, type GenerateReason } from "./generate-reason.ts";
import type { JsonObject } from "../json-object.ts";
import { withOwnMembers } from "./own-members.ts";
import { toJavaBlock } from "./to-agentscope-java-block.ts";

/** Java's metadata key for the reason a message ended. */
export const GENERATE_REASON = "agentscope_generate_reason";

/**
 * A message as AgentScope for Java writes it. A message of results alone has the role TOOL; a reply's own is
 * ASSISTANT, with the results among its blocks.
 * @param requested The reason that a hook has stopped the reply with; null when none did.
 */
export function toJavaMessage(message: Msg, requested: GenerateReason | null = null): JavaMsg {
  const { finished_at, finished_reason, error, structured_output } = message;
  const reason = requested ?? generateReasonOf(message);
  return writeMessage(message, reason, { finished_at, finished_reason, error, structured_output });
}

/**
 * A stored message, or that of a reply that is still open. Its time of creation is carried as it is, so that the message
 * that is read back has the zone that Java's times lack.
 * @param waiting The reason for which its reply waits; null for one that does not.
 */
export function toStoredJavaMessage(message: Msg, waiting: GenerateReason | null): JavaMsg {
  const { created_at, finished_at, finished_reason, error, structured_output } = message;
  return writeMessage(message, waiting ?? generateReasonOf(message), {
    created_at,
    finished_at,
    finished_reason,
    error,
    structured_output,
  });
}

/** @param own Members that Java lacks. */
function writeMessage(message: Msg, reason: GenerateReason | null, own: JsonObject): JavaMsg {
  const { id, name, content, usage } = message;
  const metadata = withOwnMembers(
    { ...message.metadata, ...(reason && { [GENERATE_REASON]: reason }) },
    Object.fromEntries(Object.entries(own).filter(([, value]) => (value ?? null) !== null)),
  );
  return {
    id,
    name,
    role: roleOf(message),
    content: content.map(toJavaBlock),
    ...(metadata && { metadata }),
    timestamp: toSpacedTime(message.created_at),
    ...(usage && { usage: toJavaUsage(usage) }),
  };
}

export function toJavaUsage(usage: NonNullable<Msg["usage"]>): NonNullable<JavaMsg["usage"]> {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheInputTokens: usage.cache_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
  };
}

const ROLES = { user: "USER", assistant: "ASSISTANT", system: "SYSTEM" } as const;

function roleOf(message: Msg): JavaMsg["role"] {
  return hasResultsAlone(message) ? "TOOL" : ROLES[message.role];
}

/** A message of results of tools and nothing else, to which other dialects give a role of its own. */
export function hasResultsAlone({ content }: Pick<Msg, "content">): boolean {
  return content.length > 0 && content.every(({ type }) => type === "tool_result");
}

/** `2026-01-31T12:00:00.000Z` → `2026-01-31 12:00:00.000`; a time of another form stays. */
export function toSpacedTime(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d\.\d{3})Z$/, "$1 $2");
}
