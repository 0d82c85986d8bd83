// Replies of which nothing is missing that only a slow machine leaves out.
import { MCP_OPEN_MS } from "../../../protocol/limits/abilities/mcp.ts";
import { waitFor } from "../wait-for.ts";

interface Said {
  /** None in a refusal. */
  readonly message?: {
    readonly content: readonly { readonly type: string; readonly [member: string]: unknown }[];
  };
}

/** What a model is told when D1, or the process of a test and its server, stood still for as long as a look may take. */
const TOO_LATE = ["could not be looked up", `did not answer within ${MCP_OPEN_MS} ms`];

/** What the platform has told the model beside the conversation. */
export function hintsOf({ message }: Said): readonly string[] {
  const content = message?.content ?? [];
  return content.flatMap((block) => (block.type === "hint" ? [String(block["hint"])] : []));
}

/**
 * The first reply that has the tools of its servers. A server that was too late once is left alone for a while, in which
 * replies are without its tools as well; what a hint says of other causes is the test's business.
 */
export function sayInTime<Reply extends Said>(say: () => Promise<Reply>): Promise<Reply> {
  let wasLate = false;
  return waitFor(async () => {
    const reply = await say();
    const hints = hintsOf(reply).join("\n");
    wasLate ||= TOO_LATE.some((words) => hints.includes(words));
    if (wasLate && hints !== "") throw new Error(`the server was too slow: ${hints}`);
    return reply;
  });
}
