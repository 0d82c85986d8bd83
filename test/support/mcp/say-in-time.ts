// Replies of which nothing is missing that only a slow machine leaves out.
import { MCP_FAILURE_MS, MCP_OPEN_MS } from "../../../protocol/mcp/limits.ts";

interface Said {
  /** None in a refusal. */
  readonly message?: {
    readonly content: readonly { readonly type: string; readonly [member: string]: unknown }[];
  };
}

/** Hints to a model when D1, or the process of a test and its server, stood still for as long as a look may take. */
const TOO_LATE = ["could not be looked up", `did not answer within ${MCP_OPEN_MS} ms`];
/** A machine is not as slow as that again and again; a platform that never finds its servers is. */
const TRIES = 3;

/** Hints of the platform to the model, beside the conversation. */
export function hintsOf({ message }: Said): readonly string[] {
  const content = message?.content ?? [];
  return content.flatMap((block) => (block.type === "hint" ? [String(block["hint"])] : []));
}

/**
 * The first reply that has the tools of its servers, or the last of a few, as it is. A server that was too late is left
 * alone by the platform for a while, so the next reply is said after that. What a hint says of other causes is the
 * test's business.
 */
export async function sayInTime<Reply extends Said>(
  say: () => Promise<Reply>,
  tries = TRIES,
): Promise<Reply> {
  const reply = await say();
  const hints = hintsOf(reply).join("\n");
  if (tries === 1 || !TOO_LATE.some((words) => hints.includes(words))) return reply;
  await new Promise((resolve) => setTimeout(resolve, MCP_FAILURE_MS));
  return sayInTime(say, tries - 1);
}
