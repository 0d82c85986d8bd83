// The refund desk's conversation, added to, copied, taken out and brought in.
import type { Example } from "./document-types.ts";

const AT = "2026-11-21T09:30:00.000Z";

const message = {
  name: "user",
  content: [
    {
      type: "text",
      text: "Where is my order A-1001?",
      id: "b1e0c7d2f6a94d5d8f2c6f8f0d4a1c3e",
      created_at: AT,
      finished_at: null,
    },
  ],
  role: "user",
  id: "phone-5-message-1",
  metadata: {},
  created_at: AT,
  usage: null,
  finished_at: AT,
  finished_reason: null,
  structured_output: null,
  error: null,
};

const agentState = {
  session_id: "ses_01kaj2vcr4k7n1q5s9v3x6z0b2",
  summary: "",
  context: [message],
  context_truncated: false,
  reply_context: { reply_id: "", cur_iter: 0, structured_schema: null, structured_output: null },
  permission_context: {
    mode: "default",
    working_directories: {},
    allow_rules: {},
    deny_rules: {},
    ask_rules: {},
  },
  tool_context: {
    max_cache_files: 100,
    max_cache_bytes: 25_000,
    read_file_cache: [],
    activated_groups: [],
  },
  tasks_context: { tasks: [] },
  middle_context: {},
};

export const CONVERSATION_EXAMPLES = {
  guardedSession: {
    summary: "A session in which refunds are always asked about",
    value: {
      agent_id: "agt_01kaj2v9c8m3p6t0x4z7b2d5f8",
      time_zone: "Europe/Berlin",
      permission: {
        rules: [{ tool_name: "refund_order", rule_content: null, behavior: "ask" }],
      },
    },
  },
  observedMessage: {
    summary: "A note of the shop's",
    value: {
      messages: { id: "shop-note-1", name: "shop", content: "The parcel came back today." },
    },
  },
  forkAtMessage: { summary: "Up to a message", value: { at: "phone-5-message-1" } },
  forkAtEnd: { summary: "All of it", value: {} },
  agentState: { summary: "One message", value: agentState },
  sharedState: {
    summary: "A form that is filled in together",
    value: { state: { order_id: "A-1001", items: ["lamp"] }, version: 2, cursor: 41 },
  },
  statePatch: {
    summary: "One more item, unless the order is another one meanwhile",
    value: [
      { op: "test", path: "/order_id", value: "A-1001" },
      { op: "add", path: "/items/-", value: "bulb" },
    ],
  },
  broughtState: {
    summary: "A conversation from elsewhere",
    value: { context: [message] },
  },
} as const satisfies Readonly<Record<string, Example>>;
