// The tools of an MCP server, in an agent's definition. Which tools those are the server says when a reply begins.
import * as z from "zod";

import {
  MAX_AGENT_MCP_SERVERS,
  MAX_MCP_LISTED_TOOLS,
  MAX_MCP_TOOL_NAME_CHARACTERS,
  MAX_ELICITATION_TTL_SECONDS,
} from "../mcp/limits.ts";

/** The name that the server itself gives the tool. */
const McpToolNameSchema = z.string().min(1).max(MAX_MCP_TOOL_NAME_CHARACTERS);
const ToolListSchema = z.array(McpToolNameSchema).max(MAX_MCP_LISTED_TOOLS);

/** The decision about a call that no rule decides. */
const ToolPermissionSchema = z.enum(["allow", "ask", "deny"]);

export const McpToolSchema = z
  .strictObject({
    type: z.literal("mcp"),
    server_id: z.string().min(1).max(64),
    /** The tools that the model may call, by the server's names; all when left out. */
    enable: ToolListSchema.optional(),
    /** Tools that the model may not call. */
    disable: ToolListSchema.optional(),
    /** By the server's names, `*` for all others; as the mode says when left out. */
    permissions: z
      .record(McpToolNameSchema, ToolPermissionSchema)
      .refine((listed) => Object.keys(listed).length <= MAX_MCP_LISTED_TOOLS, {
        message: `there may be ${MAX_MCP_LISTED_TOOLS} tools at most`,
      })
      .optional(),
    /** Tools that let something out or cannot be undone: their calls ask while the context has untrusted content. */
    sinks: ToolListSchema.optional(),
    /** The results are untrusted content; true when left out. */
    returns_untrusted: z.boolean().optional(),
    /** Seconds that a question of the server waits for a person, before it is cancelled. */
    elicitation_ttl: z.number().int().min(1).max(MAX_ELICITATION_TTL_SECONDS).optional(),
    /** A call of a tool that its annotations call idempotent or read-only is repeated after a crash; not when left out. */
    trust_annotations: z.boolean().optional(),
  })
  .superRefine(({ enable = [], disable = [] }, context) => {
    const both = disable.findIndex((name) => enable.includes(name));
    if (both === -1) return;
    const message = "this tool is in `enable` too; leave it out of one of them";
    context.addIssue({ code: "custom", path: ["disable", both], message });
  })
  .meta({
    id: "McpTool",
    description: "The tools of an MCP server, which says what they are when a reply begins.",
  });
export type McpTool = z.infer<typeof McpToolSchema>;

/** @param tools Of any type: each server once, and not too many. */
export function refineMcpTools(
  tools: readonly { readonly type: string; readonly server_id?: string }[],
  context: z.RefinementCtx,
): void {
  const servers = new Set<string | undefined>();
  for (const [index, { type, server_id }] of tools.entries()) {
    if (type !== "mcp") continue;
    const refuse = (message: string) =>
      context.addIssue({ code: "custom", path: [index, "server_id"], message });
    if (servers.has(server_id)) refuse("this server is there twice; make one entry of the two");
    servers.add(server_id);
    if (servers.size > MAX_AGENT_MCP_SERVERS) {
      refuse(`an agent may name ${MAX_AGENT_MCP_SERVERS} MCP servers at most`);
      return;
    }
  }
}
