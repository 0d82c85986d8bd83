// Replies of the agent.
import { EVENT_STREAM } from "../../../protocol/events/contract.ts";
import {
  InterruptResultSchema,
  ReplyPageSchema,
  ReplySchema,
  InterruptQuerySchema,
  ReplyCreateQuerySchema,
  ReplyCreateSchema,
} from "../../../protocol/replies/contract.ts";
import { REPLY_ID_HEADER } from "../../../protocol/routes.ts";
import { PageQuerySchema } from "../../../protocol/schemas/common.ts";
import { EXAMPLE_TIME, REPLY_ID, SESSION_ID } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

const startedReply = {
  id: REPLY_ID,
  session_id: SESSION_ID,
  status: "running",
  message: null,
  pending: [],
  error: null,
  usage: null,
  cursor: 1,
};

const usage = {
  input_tokens: 412,
  output_tokens: 58,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

const completedReply = {
  ...startedReply,
  status: "completed",
  message: {
    name: "Refund desk",
    content: [
      {
        type: "tool_call",
        id: "call_1",
        name: "lookup_order",
        input: '{"order_id":"A-1001"}',
        state: "finished",
        suggested_rules: [],
        created_at: "2026-11-21T09:30:01.000Z",
        finished_at: "2026-11-21T09:30:01.200Z",
      },
      {
        type: "tool_result",
        id: "call_1",
        name: "lookup_order",
        output: "A-1001: one pair of shoes, delivered on 14 November.",
        state: "success",
        metadata: {},
        created_at: "2026-11-21T09:30:01.250Z",
        finished_at: "2026-11-21T09:30:01.400Z",
      },
      {
        type: "text",
        text: "Your shoes were delivered on 14 November.",
        id: "5f2c8d1ab0e34c7795f1d2a6b4c8e0f3",
        created_at: "2026-11-21T09:30:01.600Z",
        finished_at: "2026-11-21T09:30:02.000Z",
      },
    ],
    role: "assistant",
    id: REPLY_ID,
    metadata: {},
    created_at: EXAMPLE_TIME,
    usage,
    finished_at: "2026-11-21T09:30:02.050Z",
    finished_reason: "completed",
    structured_output: null,
    error: null,
  },
  usage,
  cursor: 31,
};

/** The members with which a request says how models are called, and a reply shows it. */
const MODEL_OPTIONS: Readonly<Record<string, string>> = {
  model:
    "The name of one of the agent's models: its own, an allowed one, or a fallback. With an API key only.",
  parameters:
    "Parameters of its model calls, in place of the definition's; each provider gets those that it knows, under its own names. With an API key only.",
  "parameters.temperature": "From 0 to 2; how much the model varies.",
  "parameters.top_p": "The share of likely tokens that are considered.",
  "parameters.max_tokens": "Output tokens of one model call.",
  "parameters.stop": "Texts at which the model stops.",
  "parameters.seed": "For answers that are the same again, as far as the provider can.",
  "parameters.presence_penalty": "From -2 to 2; above 0 the model changes its topics.",
  "parameters.frequency_penalty": "From -2 to 2; above 0 the model repeats itself less.",
  tool_choice:
    "Which tools the model may or has to call. `required` and a name hold until the reply has made a call. With an API key only.",
  parallel_tool_calls:
    "False: at most one call in a turn. With an API key only; the provider decides when left out.",
  reasoning_effort:
    "How much the model thinks; a provider with fewer steps gets the nearest one. With an API key only.",
};

function prefixed(prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(MODEL_OPTIONS).map(([name, text]) => [`${prefix}${name}`, text]),
  );
}

export const REPLIES = {
  tags: {
    Replies: "Start, stream, read and interrupt replies of the agent.",
  },
  operations: {
    createReply: {
      tag: "Replies",
      summary: "Start a reply",
      description: [
        "Three ways to wait for a reply, which runs whether or not a client reads it:",
        "`stream: true` (or `Accept: text/event-stream`) answers with its events;",
        "`background: true` answers 202 at once;",
        "otherwise the answer comes when the reply has ended or waits for an answer, or after 120 seconds as a 202.",
        "While a reply runs or waits, `on_busy` says what happens: `reject` is 409, `interrupt` ends that reply,",
        "`queue` accepts this one: it begins when those before it have ended, and until then is `running` without a",
        "message, its stream silent.",
        "The same message id with the same content starts no second reply: the answer is the one that it started before.",
        "Older AgentScope names of blocks and messages are accepted.",
      ].join(" "),
      query: ReplyCreateQuerySchema,
      headers: ["traceparent", "tracestate"],
      request: {
        json: ReplyCreateSchema,
        examples: ["textInput", "streamedInput", "pictureInput"],
      },
      answers: {
        200: {
          description: "The reply, ended or parked; or its events as they come.",
          json: ReplySchema,
          stream: EVENT_STREAM,
          headers: [REPLY_ID_HEADER],
          examples: ["completedReply"],
        },
        202: {
          description:
            "The reply runs or is queued. Its `cursor` is a position before REPLY_START: a stream from there has all its events.",
          json: ReplySchema,
          headers: [REPLY_ID_HEADER, "Location"],
          examples: ["startedReply"],
        },
      },
      errors: [
        "reply_running",
        "reply_awaiting",
        "queue_full",
        "message_conflict",
        "too_many_subscribers",
        "quota_exceeded",
      ],
    },
    listReplies: {
      tag: "Replies",
      summary: "List a session's replies",
      description: "Newest first.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of replies.", json: ReplyPageSchema } },
    },
    readReply: {
      tag: "Replies",
      summary: "Get a reply",
      description: "Also while it runs: its message as far as it is durable.",
      answers: {
        200: { description: "The reply.", json: ReplySchema, examples: ["completedReply"] },
      },
    },
    interrupt: {
      tag: "Replies",
      summary: "Interrupt the current reply",
      description: [
        "Answers when its REPLY_END is durable, or at once when nothing runs. Model, tools and waiting calls are ended first, whatever the agent's `on_interrupt` says after that.",
        "Queued replies continue, the next one at once; with `?queued=drop` they end too, without having run.",
      ].join(" "),
      query: InterruptQuerySchema,
      answers: { 200: { description: "What was ended.", json: InterruptResultSchema } },
    },
  },
  pathParameters: {
    reply_id: "The reply.",
  },
  queryParameters: {
    queued: "Queued replies continue with `keep`, and end without having run with `drop`.",
  },

  fieldDescriptions: {
    pending: "The tool calls that wait for an answer.",
    "InterruptResult.interrupted": "False when nothing ran and nothing waited.",
    "InterruptResult.reply": "The reply that was ended, or null.",
    "Reply.tasks":
      "What the servers of MCP tools work on for its calls, which goes on by itself: nobody has to answer. Left out when there is none.",
    "Reply.tasks.tool_name": "The name under which the model knows the tool.",
    "Reply.tasks.server": "The name of the server.",
    "Reply.tasks.status": "As the server said it last.",
    "Reply.tasks.message": "The server's words about it, on one line, or null.",
    "Reply.tasks.expires_at": "Until when the call waits for it at most.",
    "PendingCall.input_hash": "Binds an answer to this input, or null.",
    "PendingCall.question":
      "The sentence with which to ask a person, made of the tool's `confirmation_message` and the input: plain text on one line, never markup.",
    "PendingCall.editable":
      "JSON pointers to what an edit may change; left out where it may change everything, empty where nothing.",
    "PendingCall.reasons":
      "Why it asks; left out of calls that wait for a result, and of those that asked before this member was there.",
    "PendingCall.reasons.reason": "In words; null where nothing but the rule says it.",
    "PendingCall.reasons.rule": "The rule that decided, or null.",
    "PendingCall.reasons.untrusted":
      "The calls that brought in the untrusted content because of which it asks; empty where that is not why.",
    "PendingCall.elicitation":
      "What the server of an MCP tool asks a person for; the answer is the call's result. Left out of all other calls.",
    "PendingCall.elicitation.server": "The name of the server that asks.",
    "PendingCall.elicitation.round": "How often the call has asked, from 1.",
    "PendingCall.elicitation.requests": "By a key of the server: forms and links.",
    "PendingCall.kind": "Who has to answer: a person, or an external system.",
    "PendingCall.omitted":
      "The input and the rules are left out, because they are too large for an answer; the reply's message has them.",
    "PendingCall.omitted.bytes": "The input's size.",
    "Reply.background": "Answer 202 at once; the reply runs on.",
    "Reply.input": "The user's input: a text, a message, messages, or blocks.",
    "Reply.message": "The message as far as it is durable; null before REPLY_START.",
    "Reply.on_busy":
      "What to do when a reply runs or waits already: refuse this one, queue it, or end the other.",
    "Reply.structured_schema":
      "JSON Schema of the reply's structured output, in place of the agent's; null for a text.",
    ...prefixed("Reply."),
    ...prefixed("Reply.model_options."),
    "Reply.model_options":
      "How its models are called, as its request has set it; left out when it has set nothing.",
    "Reply.stream": "Answer with the reply's events as server-sent events.",
  },
  examples: {
    textInput: { summary: "A question", value: { input: "Where is my order A-1001?" } },
    streamedInput: {
      summary: "A message with an id of the client's own, answered as a stream",
      value: {
        input: { id: "phone-5-message-1", content: "Where is my order A-1001?" },
        stream: true,
      },
    },
    pictureInput: {
      summary: "Text with a picture",
      value: {
        input: [
          { type: "text", text: "This is how my order A-1001 arrived." },
          {
            type: "data",
            name: "shoes.png",
            source: { type: "url", url: "https://shop.example/shoes.png", media_type: "image/png" },
          },
        ],
      },
    },
    startedReply: { summary: "A reply that has just begun", value: startedReply },
    completedReply: { summary: "A reply that looked an order up", value: completedReply },
  },
} as const satisfies Resource;
