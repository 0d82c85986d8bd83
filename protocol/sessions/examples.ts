// Requests and answers of the refund desk, as examples of the routes.
import { AGENT_ID, EXAMPLE_TIME, SESSION_ID } from "../refund-desk.ts";

const session = {
  id: SESSION_ID,
  agent_id: AGENT_ID,
  agent_version: 1,
  follows_latest: false,
  end_user_id: "customer-17",
  title: null,
  metadata: {},
  created_at: EXAMPLE_TIME,
  status: "idle",
  reply_id: null,
  queued_reply_ids: [],
  pending: [],
  cursor: 0,
  forked_from: null,
  parent_session_id: null,
  room_id: null,
  permission: { mode: "default" },
  working_directories: [],
  time_zone: null,
};

const message = {
  name: "user",
  content: [
    {
      type: "text",
      text: "Where is my order A-1001?",
      id: "b1e0c7d2f6a94d5d8f2c6f8f0d4a1c3e",
      created_at: EXAMPLE_TIME,
      finished_at: null,
    },
  ],
  role: "user",
  id: "phone-5-message-1",
  metadata: {},
  created_at: EXAMPLE_TIME,
  usage: null,
  finished_at: EXAMPLE_TIME,
  finished_reason: null,
  structured_output: null,
  error: null,
};

const agentState = {
  session_id: SESSION_ID,
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

export const SESSION_EXAMPLES = {
  newSession: {
    summary: "A conversation with a customer",
    value: { agent_id: AGENT_ID, end_user_id: "customer-17" },
  },
  guardedSession: {
    summary: "A session in which each refund needs a confirmation",
    value: {
      agent_id: AGENT_ID,
      time_zone: "Europe/Berlin",
      permission: {
        rules: [{ tool_name: "refund_order", rule_content: null, behavior: "ask" }],
      },
    },
  },
  latestVersion: {
    summary: "Follow the agent's newest version",
    value: { agent_version: "latest" },
  },
  idleSession: { summary: "An idle session", value: session },
  forkAtMessage: { summary: "Up to a message", value: { at: "phone-5-message-1" } },
  restore: { summary: "As it was at an event", value: { cursor: 17 } },
  forkAtEnd: { summary: "The whole conversation", value: {} },
  agentState: { summary: "One message", value: agentState },
  broughtState: {
    summary: "A conversation from elsewhere",
    value: { context: [message] },
  },
  observedMessage: {
    summary: "A note of the shop's",
    value: {
      messages: { id: "shop-note-1", name: "shop", content: "The parcel came back today." },
    },
  },
  toldEvents: {
    summary: "An event and an activity",
    value: {
      events: [
        { type: "CUSTOM", name: "parcel_scanned", value: { place: "Bremen" } },
        {
          type: "ACTIVITY_SNAPSHOT",
          message_id: "search-1",
          activity_type: "SEARCH",
          content: { state: "running" },
        },
      ],
    },
  },
} as const;
