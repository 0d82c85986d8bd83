// Requests and answers of the refund desk, as examples of the routes.
import { ASKED_AT } from "../refund-desk.ts";

const SERVER_ID = "mcp_01kaj2vm5p8r2t6v9x3z7b1d4f";

const definition = { name: "warehouse", url: "https://mcp.warehouse.example/mcp" };

const tool = {
  name: "find_order",
  description: "Finds an order.",
  input_schema: {
    type: "object",
    properties: { order_id: { type: "string" } },
    required: ["order_id"],
  },
  annotations: { read_only: true },
  disabled_reason: null,
};

const connection = {
  id: "con_01kaj2vm5p8r2t6v9x3z7b1d4f",
  mcp_server_id: "mcp_01kaj2vm5p8r2t6v9x3z7b1d4f",
  end_user_id: "user-7",
  status: "active",
  issuer: "https://login.warehouse.example",
  scope: "orders:read",
  failure: null,
  created_at: ASKED_AT,
  updated_at: ASKED_AT,
};

export const MCP_EXAMPLES = {
  newMcpServer: { summary: "The warehouse", value: definition },
  movedMcpServer: {
    summary: "Another address",
    value: { url: "https://mcp2.warehouse.example/mcp", stateful: true },
  },
  mcpServer: {
    summary: "The warehouse",
    value: {
      id: SERVER_ID,
      ...definition,
      transport: "streamable_http",
      stateful: false,
      timeout_ms: 30_000,
      max_bytes: 1_000_000,
      version: 1,
      created_at: ASKED_AT,
      updated_at: ASKED_AT,
    },
  },
  mcpToolList: {
    summary: "The tools of the warehouse",
    value: {
      server_id: SERVER_ID,
      protocol_version: "2026-07-28",
      data: [{ ...tool, tool_name: "mcp__warehouse__find_order" }],
      left_out: null,
      read_at: ASKED_AT,
      expires_at: ASKED_AT,
    },
  },
  mcpToolCall: { summary: "An order", value: { input: { order_id: "A-1003" } } },
  mcpToolResult: {
    summary: "The order",
    value: {
      server_id: SERVER_ID,
      name: "find_order",
      state: "success",
      content: [{ type: "text", text: '{"amount":25}' }],
      structured_content: { amount: 25 },
      duration_ms: 120,
    },
  },
  connection: { summary: "A connection of an end user", value: connection },
  connectionComplete: { summary: "The code of the page", value: { code: "sc_5f1d2c" } },
} as const;
