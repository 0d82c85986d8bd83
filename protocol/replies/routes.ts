// Routes on replies.
import { EVENT_STREAM } from "../events/contract.ts";
import {
  InterruptResultSchema,
  ReplyPageSchema,
  ReplySchema,
  InterruptQuerySchema,
  ReplyCreateQuerySchema,
  ReplyCreateSchema,
} from "./contract.ts";
import { REPLY_ID_HEADER } from "../requests/headers.ts";
import {
  ANSWER_FORMAT_WORDS,
  FormPageQuerySchema,
  FormQuerySchema,
  MESSAGE_FORMAT_WORDS,
} from "../schemas/event-format.ts";
import { EXAMPLE_TIME, REPLY_ID, SESSION_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import {
  AgentScope1InterruptResultSchema,
  AgentScope1ReplyPageSchema,
  AgentScope1ReplySchema,
  JavaInterruptResultSchema,
  JavaReplyPageSchema,
  JavaReplySchema,
} from "./reply-forms.ts";
import { REPLY_WORDS } from "./words.ts";

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

const REPLY_ROUTES = [
  {
    name: "createReply",
    method: "POST",
    path: "/v1/sessions/{session_id}/replies",
    access: "replies:write",
    verb: "reply",
    keeps_keys: "session",
    body: "media",
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
    queryDescriptions: { format: ANSWER_FORMAT_WORDS },
    headers: ["traceparent", "tracestate"],
    request: {
      json: ReplyCreateSchema,
      examples: ["textInput", "streamedInput", "pictureInput"],
    },
    answers: {
      200: {
        description: "The reply, ended or parked; or its events as they come.",
        json: ReplySchema,
        translated: [AgentScope1ReplySchema, JavaReplySchema],
        stream: EVENT_STREAM,
        headers: [REPLY_ID_HEADER],
        examples: ["completedReply"],
      },
      202: {
        description:
          "The reply runs or is queued. Its `cursor` is a position before REPLY_START: a stream from there has all its events.",
        json: ReplySchema,
        translated: [AgentScope1ReplySchema, JavaReplySchema],
        headers: [REPLY_ID_HEADER, "Location"],
        examples: ["startedReply"],
      },
    },
    errors: [
      "reply_running",
      "reply_awaiting",
      "session_in_room",
      "queue_full",
      "message_conflict",
      "too_many_subscribers",
      "quota_exceeded",
    ],
  },

  {
    name: "listReplies",
    method: "GET",
    path: "/v1/sessions/{session_id}/replies",
    access: "replies:read",
    verb: "read",
    body: "none",
    tag: "Replies",
    summary: "List a session's replies",
    description: "Newest first.",
    query: FormPageQuerySchema,
    queryDescriptions: { format: MESSAGE_FORMAT_WORDS },
    answers: {
      200: {
        description: "A page of replies.",
        json: ReplyPageSchema,
        translated: [AgentScope1ReplyPageSchema, JavaReplyPageSchema],
      },
    },
  },

  {
    name: "readReply",
    method: "GET",
    path: "/v1/sessions/{session_id}/replies/{reply_id}",
    access: "replies:read",
    verb: "read",
    body: "none",
    tag: "Replies",
    summary: "Get a reply",
    description: "Also while it runs: its message as far as it is durable.",
    query: FormQuerySchema,
    queryDescriptions: { format: MESSAGE_FORMAT_WORDS },
    answers: {
      200: {
        description: "The reply.",
        json: ReplySchema,
        translated: [AgentScope1ReplySchema, JavaReplySchema],
        examples: ["completedReply"],
      },
    },
  },

  {
    name: "interrupt",
    method: "POST",
    path: "/v1/sessions/{session_id}/interrupt",
    access: "replies:write",
    verb: "interrupt",
    keeps_keys: "session",
    body: "none",
    tag: "Replies",
    summary: "Interrupt the current reply",
    description: [
      "Answers when its REPLY_END is durable, or at once when nothing runs. Model, tools and waiting calls are ended first, whatever the agent's `on_interrupt` says after that.",
      "Queued replies continue, the next one at once; with `?queued=drop` they end too, without having run.",
    ].join(" "),
    query: InterruptQuerySchema,
    queryDescriptions: { format: MESSAGE_FORMAT_WORDS },
    answers: {
      200: {
        description: "What was ended.",
        json: InterruptResultSchema,
        translated: [AgentScope1InterruptResultSchema, JavaInterruptResultSchema],
      },
    },
  },
] as const satisfies readonly DocumentedRoute[];

export const REPLY_CONTRACT = {
  tags: {
    Replies: "Start, stream, read and interrupt replies of the agent.",
  },
  routes: REPLY_ROUTES,
  pathParameters: {
    reply_id: { form: "rep", description: "The reply." },
  },
  queryParameters: {
    queued: "Queued replies continue with `keep`, and end without having run with `drop`.",
  },
  fields: REPLY_WORDS,
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
} as const satisfies Contract;
