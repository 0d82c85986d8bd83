// The context of a session's next model call, and compression of it on request.
import {
  CompressionSchema,
  CompressSchema,
  SessionContextSchema,
} from "../../../protocol/context/compression.ts";
import { EXAMPLE_TIME } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

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

export const SESSION_CONTEXT = {
  operations: {
    readContext: {
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
    compress: {
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
  },

  fieldDescriptions: {
    "Compress.instructions": "What the summary should attend to.",
    "Compress.on_busy": "What to do while a reply runs or waits.",
    "Compression.status":
      "`queued`: it is made after the open reply, or takes long; `nothing`: there was nothing to summarise.",
    "Compression.summary_id": "The summary's id, also of one that is queued, or null.",
    "Compression.compressed":
      "The summary; null while there is none, and for a key without `sessions:read`.",
    "CompressedContext.summary_id": "The summary's id.",
    "CompressedContext.summary": "The text that the model is sent in place of the messages.",
    "CompressedContext.first_message_id": "The first message that it replaces.",
    "CompressedContext.last_message_id": "The last message that it replaces.",
    "CompressedContext.last_block_id":
      "The last block of that message that it replaces; null for the whole message.",
    "CompressedContext.request":
      "The user's words that the last message answers, when only its first turns are replaced: the model is still shown them.",
    "CompressedContext.tokens_before": "Tokens of the context before.",
    "CompressedContext.tokens_after": "Tokens of the context with the summary.",
    "CompressedContext.model": "The model that wrote it.",
    "CompressedContext.usage": "What it cost.",
    "CompressionFailure.failed_at": "When it failed.",
    "SessionContext.context_size": "Tokens of the model's window.",
    "SessionContext.soft_threshold":
      "Tokens above which the context is summarised when a reply has ended.",
    "SessionContext.hard_threshold":
      "Tokens above which it is summarised before the model is called.",
    "SessionContext.token_counter": "How tokens are counted.",
    "SessionContext.tokens":
      "Tokens in all, and an estimate for each part, which need not add up to what the provider has counted.",
    "SessionContext.tokens.total": "Tokens in all, as they are compared with the thresholds.",
    "SessionContext.tokens.system_prompt": "Tokens of the system prompt.",
    "SessionContext.tokens.tools": "Tokens of the tools.",
    "SessionContext.tokens.messages": "Tokens of the messages and hints.",
    "SessionContext.system_prompt": "The agent's system prompt.",
    "SessionContext.summary": "The summary that stands for older messages, or null.",
    "SessionContext.tools": "The tools that the model may call.",
    "SessionContext.tools.tokens": "Tokens of its declaration.",
    "SessionContext.hints": "The hints that the call would add behind the messages.",
    "SessionContext.hints.text": "Its text.",
    "SessionContext.hints.tokens": "Its tokens.",
    "SessionContext.messages": "The messages as the model sees them, oldest first.",
    "SessionContext.messages.message": "The message.",
    "SessionContext.messages.tokens": "Its tokens.",
    "SessionContext.compressing": "Whether a summary is due or being made.",
    "SessionContext.failure": "How the last summary between replies failed, or null.",
  },
  examples: {
    sessionContext: { summary: "A conversation with a summary", value: context },
    compress: {
      summary: "Before a long task",
      value: { instructions: "Keep every order number.", on_busy: "queue" },
    },
    compression: { summary: "A summary", value: compression },
  },
} as const satisfies Resource;
