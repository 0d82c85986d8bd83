// Requests and answers of the refund desk, as examples of the routes.
import type { RemoteAgentList } from "./remote-agents.ts";
import { AGENT_ID, EXAMPLE_TIME } from "../refund-desk.ts";

const lookUpOrder = {
  type: "http",
  name: "lookup_order",
  description: "What was ordered, and where it is.",
  input_schema: {
    type: "object",
    properties: { order_id: { type: "string" } },
    required: ["order_id"],
    additionalProperties: false,
  },
  url: "https://shop.example/tools/lookup_order",
  read_only: true,
  concurrency_safe: true,
  idempotent: true,
};

const refundDesk = {
  name: "Refund desk",
  system_prompt: "Look an order up before you say anything about it.",
  model: { provider: "scripted", name: "refund-desk", parameters: { tokens_per_second: 40 } },
  tools: [lookUpOrder],
};

const agent = {
  ...refundDesk,
  tools: [{ ...lookUpOrder, timeout_ms: 30_000, max_bytes: 1_000_000 }],
  max_iters: 20,
  permission: { mode: "default", rules: [] },
  metadata: {},
  id: AGENT_ID,
  version: 1,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
};

const checked = {
  agent_id: AGENT_ID,
  version: 1,
  ok: true,
  model: {
    name: "refund-desk",
    provider: "scripted",
    credential_id: null,
    status: "ok",
    host: null,
    http_status: null,
    kind: null,
    code: null,
    message: null,
    duration_ms: 0,
    note: "The embedded model needs no network.",
    hint: null,
  },
  fallbacks: [],
  compression_model: null,
  tools: [
    {
      name: "lookup_order",
      type: "http",
      method: "OPTIONS",
      status: "warning",
      host: "shop.example",
      http_status: 401,
      kind: "credential_refused",
      code: null,
      message: null,
      duration_ms: 48,
      note: "The server answered 401.",
      hint: "The definition names no credential: give it a credential_id.",
    },
  ],
  warnings: [],
  tokens: 0,
};

const remotes: RemoteAgentList = {
  data: [
    {
      tool_name: "ask_warehouse",
      source: "url",
      source_name: "https://warehouse.example/agents/stock",
      duration_ms: 84,
      card: {
        name: "Warehouse",
        description: "Knows what is in stock.",
        version: "2.1",
        protocol_version: "1.0",
        binding: "JSONRPC",
        url: "https://warehouse.example/agents/stock",
        streaming: true,
        push_notifications: true,
        is_signed: null,
        skills: [{ id: "stock", name: "Stock", description: "Looks an article up." }],
        skill_count: 1,
      },
      failure: null,
      last_failure: {
        kind: "timeout",
        http_status: null,
        failed_at: "2026-11-30T09:12:44.000Z",
      },
    },
  ],
};

export const AGENT_EXAMPLES = {
  retiredVersion: { summary: "Retire it", value: { retired: true } },
  smallestAgent: { summary: "The smallest agent", value: { name: "Refund desk" } },
  refundDesk: { summary: "The refund desk, with a tool", value: refundDesk },
  refundDeskAgent: { summary: "The refund desk", value: agent },
  newPrompt: {
    summary: "Another prompt",
    value: { system_prompt: "Be brief, and look every order up first." },
  },
  checkNewest: { summary: "The newest version", value: {} },
  checkedAgent: { summary: "A tool whose server wants a credential", value: checked },
  remoteAgents: { summary: "One that a tool calls", value: remotes },
} as const;
