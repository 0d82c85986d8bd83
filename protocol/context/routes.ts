// Routes on the context of a session.
import { CompressionSchema, CompressSchema, SessionContextSchema } from "./compression.ts";
import { EXAMPLE_TIME } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { CONTEXT_WORDS } from "./words.ts";

const summary = [
  "# Context of the conversation so far",
  "The customer asks for a refund of order A-1001, which came back damaged.",
].join("\n");

const context = {
  context_size: 128_000,
  soft_threshold: 102_400,
  hard_threshold: 115_200,
  token_counter: "provider",
  tokens: { total: 342, system_prompt: 21, tools: 240, messages: 81 },
  system_prompt: "You are the refund desk of a shop.",
  summary: { id: "sum_01JD2PW8Q9X7M3K5N1T4R6V8Z0", text: summary },
  tools: [{ name: "refund_order", tokens: 240 }],
  hints: [],
  messages: [
    {
      message: {
        id: "sum_01JD2PW8Q9X7M3K5N1T4R6V8Z0",
        name: "user",
        role: "user",
        content: [
          {
            type: "text",
            text: summary,
            id: "summary",
            created_at: EXAMPLE_TIME,
            finished_at: EXAMPLE_TIME,
          },
        ],
        metadata: {},
        created_at: EXAMPLE_TIME,
        usage: null,
        finished_at: EXAMPLE_TIME,
        finished_reason: null,
        structured_output: null,
        error: null,
      },
      tokens: 81,
    },
  ],
  compressing: false,
  failure: null,
};

const compression = {
  status: "completed",
  summary_id: "sum_01JD2PW8Q9X7M3K5N1T4R6V8Z0",
  compressed: {
    summary_id: "sum_01JD2PW8Q9X7M3K5N1T4R6V8Z0",
    summary,
    first_message_id: "phone-5-message-1",
    last_message_id: "rep_01JD2PW8Q9X7M3K5N1T4R6V8Z0",
    last_block_id: null,
    tokens_before: 96_120,
    tokens_after: 1_204,
    model: "gpt-5",
    usage: {
      input_tokens: 95_870,
      output_tokens: 412,
      cache_input_tokens: 94_000,
      cache_creation_input_tokens: 0,
    },
  },
};

const CONTEXT_ROUTES = [
  {
    name: "readContext",
    method: "GET",
    path: "/v1/sessions/{session_id}/context",
    access: "sessions:read",
    body: "none",
    tag: "Sessions",
    summary: "Show what the model would see",
    description: [
      "What the next model call would be sent, counted: of the open reply, or of one that would begin now without input.",
      "It shows the agent's system prompt, so it takes no client tokens.",
    ].join(" "),
    answers: {
      200: {
        description: "The context.",
        json: SessionContextSchema,
        examples: ["sessionContext"],
      },
    },
  },

  {
    name: "compress",
    method: "POST",
    path: "/v1/sessions/{session_id}/compress",
    access: "replies:write",
    keeps_keys: "session",
    body: "small",
    tag: "Sessions",
    summary: "Summarise the conversation so far",
    description: [
      "A model writes a summary, which replaces older messages in what the model is sent; the messages stay stored.",
      "Whatever the size of the context: older messages than those that the agent's `keep_recent` keeps.",
      'While a reply runs or waits it is refused, or made afterwards with `on_busy: "queue"`; what is queued already gets the newer',
      "instructions. 202 also when it takes longer than two minutes. A summary that is `queued` is in the log as `CUSTOM context_compressed`;",
      "a failure is in the session's context.",
    ].join(" "),
    request: { json: CompressSchema, examples: ["compress"] },
    answers: {
      200: {
        description: "The summary, or that there is nothing to summarise.",
        json: CompressionSchema,
        examples: ["compression"],
      },
      202: { description: "It is made later.", json: CompressionSchema },
    },
    errors: [
      "reply_running",
      "reply_awaiting",
      "quota_exceeded",
      "hook_blocked",
      "hook_failed",
      "compression_failed",
    ],
  },
] as const satisfies readonly DocumentedRoute[];

export const CONTEXT_CONTRACT = {
  routes: CONTEXT_ROUTES,
  fields: CONTEXT_WORDS,
  examples: {
    sessionContext: { summary: "A conversation with a summary", value: context },
    compress: {
      summary: "Before a long task",
      value: { instructions: "Keep every order number.", on_busy: "queue" },
    },
    compression: { summary: "A summary", value: compression },
  },
} as const satisfies Contract;
