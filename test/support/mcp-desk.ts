// An agent to be asked over MCP, and messages of MCP without a client.
import { inject } from "vitest";

import { createAgent, createTenant, openRequest, request } from "./platform-client.ts";

export interface McpDesk {
  readonly tenantId: string;
  readonly key: string;
  readonly agentId: string;
  /** Of the endpoint, under the platform's address. */
  readonly path: string;
  readonly url: URL;
}

/** Its tools: `refund`, which asks for a permission, and `print_label`, whose result comes from outside. */
export async function openMcpDesk(overrides: object = {}): Promise<McpDesk> {
  const { id: tenantId, key } = await createTenant();
  const agentId = await createAgent(key, {
    name: "Desk",
    tools: [
      {
        type: "http",
        name: "refund",
        url: `${inject("toolsUrl")}/lookup_order`,
        input_schema: { type: "object", properties: { order_id: { type: "string" } } },
      },
      {
        type: "external",
        name: "print_label",
        input_schema: { type: "object" },
        read_only: true,
      },
    ],
    ...overrides,
  });
  const path = `/v1/agents/${agentId}/mcp`;
  return { tenantId, key, agentId, path, url: new URL(`${inject("baseUrl")}${path}`) };
}

export const ASKING = '/call refund {"order_id":"A-1001"}\n/say It is done.';

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: {
    readonly session_id: string;
    readonly reply_id: string | null;
    readonly status: string;
    readonly pending: readonly {
      readonly call_id: string;
      readonly kind: string;
      readonly tool: string;
      readonly input_hash: string | null;
    }[];
  };
  readonly isError?: boolean;
}

export interface RpcReply<Result> {
  readonly id: string | number | null;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One message of the older era, answered as JSON. */
export async function send<Result = ToolResult>(
  { path }: Pick<McpDesk, "path">,
  key: string | undefined,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const accept = { accept: "application/json", ...headers };
  return request<RpcReply<Result>>("POST", path, { key, body: message, headers: accept });
}

/** The header of a connection of the older era, as `initialize` gives it. */
export async function connect(desk: McpDesk): Promise<{ readonly "mcp-session-id": string }> {
  const { headers } = await send(desk, desk.key, {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25" },
  });
  return { "mcp-session-id": headers.get("mcp-session-id")! };
}

/** A call of a tool, answered as JSON. @returns its result. */
export async function callTool(
  desk: McpDesk,
  name: string,
  args: object,
  key: string = desk.key,
  headers: Readonly<Record<string, string>> = {},
): Promise<ToolResult> {
  const params = { name, arguments: args };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const { body } = await send(desk, key, message, headers);
  if (!body.result) throw new Error(JSON.stringify(body));
  return body.result;
}

/** A call whose answer is a stream. */
export function openCall(
  { path, key }: McpDesk,
  args: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const params = { name: "ask_desk", arguments: args, _meta: { progressToken: "p" } };
  return openRequest("POST", path, {
    key,
    body: { jsonrpc: "2.0", id: 7, method: "tools/call", params },
    headers: { accept: "application/json, text/event-stream", ...headers },
  });
}
