// Routes of agents as MCP servers.
import { McpAnswerSchema, McpMessageSchema, ResourceMetadataSchema } from "./contract.ts";
import { SESSION_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { AGENT_MCP_WORDS } from "./words.ts";

/** The path of RFC 9728's metadata of a resource is this, then the resource's own path. */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

const ask = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "ask_refund_desk", arguments: { message: "I want my money back for A-1003." } },
};

const AGENT_MCP_ROUTES = [
  {
    name: "callAgentMcp",
    method: "POST",
    path: "/v1/agents/{agent_id}/mcp",
    access: "replies:write",
    takes_issued_tokens: true,
    body: "json",
    tag: "MCP",
    summary: "Send a message of MCP to the agent",
    description: [
      "Streamable HTTP of MCP, stateless: one message of JSON-RPC, or several in 2025-03-26. The tools are `ask_…`,",
      "`resume_…` and `stop_…`, named after the agent. A call that starts or answers a reply is a stream when `Accept`",
      "has `text/event-stream`, else it waits for some seconds. The reply goes on when the stream is cut. Besides an API",
      "key a JWT of a registered token issuer is taken: its end user has the sessions that are theirs, and no others.",
      "X",
    ].join(" "),
    headers: ["Idempotency-Key", "traceparent", "tracestate"],
    request: { json: McpMessageSchema, examples: ["mcpAsk"] },
    answers: {
      200: {
        description: "The answer, or its stream.",
        json: McpAnswerSchema,
        other: "text/event-stream",
        examples: ["mcpAnswer"],
      },
      202: { description: "A notification was taken." },
      400: { description: "The message is not one of MCP.", json: McpAnswerSchema },
      404: { description: "2026-07-28 has no such method.", json: McpAnswerSchema },
    },
    errors: ["origin_forbidden"],
  },

  {
    name: "resumeAgentMcp",
    method: "GET",
    path: "/v1/agents/{agent_id}/mcp",
    access: "replies:write",
    takes_issued_tokens: true,
    body: "none",
    tag: "MCP",
    summary: "Go on with the stream of a call",
    description:
      "With the id of a frame of a call's stream: what came after it, up to the call's result. Without one there is no stream.",
    headers: ["Last-Event-ID"],
    answers: { 200: { description: "The stream.", other: "text/event-stream" } },
    errors: ["origin_forbidden", "invalid_cursor", "method_not_allowed"],
  },

  {
    name: "readResourceMetadata",
    method: "GET",
    path: `${RESOURCE_METADATA_PATH}/v1/agents/{agent_id}/mcp`,
    access: "public",
    is_limited: true,
    body: "none",
    tag: "MCP",
    summary: "Get the metadata of an agent's MCP endpoint",
    description:
      "RFC 9728: which issuers' tokens the endpoint takes. Not found while the agent's tenant has registered none.",
    answers: {
      200: {
        description: "The metadata.",
        json: ResourceMetadataSchema,
      },
    },
  },
] as const satisfies readonly DocumentedRoute[];

export const AGENT_MCP_CONTRACT = {
  tags: {
    MCP: "An agent as a server of the Model Context Protocol, for clients that have tools of MCP.",
  },
  routes: AGENT_MCP_ROUTES,
  fields: AGENT_MCP_WORDS,
  examples: {
    mcpAsk: { summary: "Ask the agent", value: ask },
    mcpAnswer: {
      summary: "What it says",
      value: {
        jsonrpc: "2.0",
        id: 1,
        result: {
          content: [{ type: "text", text: "The refund of 40 euros is on its way." }],
          structuredContent: {
            session_id: SESSION_ID,
            reply_id: "rep_01kaj2vm5p8r2t6v9x3z7b1d4f",
            status: "completed",
            pending: [],
          },
        },
      },
    },
  },
} as const satisfies Contract;
