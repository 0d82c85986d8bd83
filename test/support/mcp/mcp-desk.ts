// An agent with the tools of one MCP server, and a session of it. Its model does what the input's script says.
import { HANG_LIMITS } from "../hang-limits.ts";
import { createAgent, createSession, createTenant, request } from "../platform-client.ts";
import { waitFor } from "../wait-for.ts";
import { hintsOf, sayInTime } from "./say-in-time.ts";

interface Block {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface DeskReply {
  readonly id: string;
  readonly status: string;
  readonly cursor: number;
  readonly message: { readonly content: readonly Block[] };
  readonly results: readonly Block[];
  /** Hints of the platform to the model, beside the conversation. */
  readonly hints: readonly string[];
  readonly pending: readonly { readonly question: string; readonly tool_call: { id: string } }[];
}

export interface McpDesk {
  readonly key: string;
  /** `/v1/sessions/<id>` */
  readonly path: string;
  readonly agent: string;
  readonly server_id: string;
  say(input: string): Promise<DeskReply>;
  /** A result as text: blocks of other kinds are their media types in brackets. */
  textOf(result: Block | undefined): string;
}

/** @param server Beside name and url. @param tool Beside the server; all calls are allowed unless it says otherwise. */
export async function openMcpDesk(
  url: string,
  {
    server = {},
    tool = {},
    agent: more = {},
  }: { readonly server?: object; readonly tool?: object; readonly agent?: object } = {},
): Promise<McpDesk> {
  const { key } = await createTenant();
  const { body: created } = await request<{ id: string }>("POST", "/v1/mcp-servers", {
    key,
    // A server is given up only by a test that is about that: each event of a stream is a turn of a loop that others use.
    body: { name: "wh", url, timeout_ms: HANG_LIMITS.testTimeout, ...server },
  });
  const tools = [{ type: "mcp", server_id: created.id, permissions: { "*": "allow" }, ...tool }];
  const agent = await createAgent(key, { tools, ...more });
  const path = `/v1/sessions/${await createSession(key, agent)}`;
  return {
    key,
    path,
    agent,
    server_id: created.id,
    async say(input) {
      const asked = { key, body: { input } };
      const body = await sayInTime(
        async () => (await request<DeskReply>("POST", `${path}/replies`, asked)).body,
      );
      return {
        ...body,
        results: body.message.content.filter(({ type }) => type === "tool_result"),
        hints: hintsOf(body),
      };
    },
    textOf(result) {
      const output = result?.["output"];
      if (typeof output === "string") return output;
      return ((output ?? []) as readonly Block[])
        .map((block) =>
          block.type === "text"
            ? String(block["text"])
            : `[${(block["source"] as { media_type: string }).media_type}]`,
        )
        .join("");
    },
  };
}

/** The names of the tools that a model of the session would be sent now. */
export async function offeredTools({ key, path }: McpDesk): Promise<readonly string[]> {
  const { body } = await request<{ tools: readonly { name: string }[] }>("GET", `${path}/context`, {
    key,
  });
  return body.tools.map(({ name }) => name);
}

/**
 * The answer of {@link McpDesk.say} in a reply that has the tools of its server: one with a short timeout may have been
 * too slow to list them on a busy machine, and is then left alone for a while.
 */
export function sayWithTools(desk: McpDesk, input: string): Promise<DeskReply> {
  return waitFor(async () => {
    const reply = await desk.say(input);
    if (reply.hints.length > 0) throw new Error(`the server was too slow: ${reply.hints.join()}`);
    return reply;
  });
}
