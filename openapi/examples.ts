// The refund desk, as requests and answers. Each example fits the schema that it stands for.
import { AG_UI_EXAMPLES } from "./examples-ag-ui.ts";
import type { Example } from "./document-types.ts";
import { WEBHOOK_EXAMPLES } from "./examples-webhooks.ts";
import { CONVERSATION_EXAMPLES } from "./examples-conversation.ts";
import { INBOUND_EXAMPLES } from "./examples-inbound.ts";
import { PEOPLE_EXAMPLES } from "./examples-people.ts";

const AT = "2026-11-21T09:30:00.000Z";
const SESSION_ID = "ses_01kaj2vcr4k7n1q5s9v3x6z0b2";
const REPLY_ID = "rep_01kaj2vf3h8m2p6r0t4w7y1a5c";

const usage = {
  input_tokens: 412,
  output_tokens: 58,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

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
    created_at: AT,
    usage,
    finished_at: "2026-11-21T09:30:02.050Z",
    finished_reason: "completed",
    structured_output: null,
    error: null,
  },
  usage,
  cursor: 31,
};

const textEvents = [
  {
    id: "evt_23",
    created_at: "2026-11-21T09:30:01.700Z",
    metadata: {},
    type: "TEXT_BLOCK_DELTA",
    reply_id: REPLY_ID,
    block_id: "5f2c8d1ab0e34c7795f1d2a6b4c8e0f3",
    delta: "Your shoes were deli",
    seq: 23,
  },
  {
    id: "evt_24",
    created_at: "2026-11-21T09:30:01.750Z",
    metadata: {},
    type: "TEXT_BLOCK_DELTA",
    reply_id: REPLY_ID,
    block_id: "5f2c8d1ab0e34c7795f1d2a6b4c8e0f3",
    delta: "vered on 14 November.",
    seq: 24,
  },
];

export const EXAMPLES = {
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
  eventStream: {
    summary: "Two pieces of a text",
    value: textEvents
      .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(""),
  },
  problem: {
    summary: "A field that is not known",
    value: {
      type: "urn:reprise:problem:validation_failed",
      title: "The request does not fit its schema",
      status: 400,
      detail: "the body does not fit; `errors` says where",
      code: "validation_failed",
      request_id: "req_01kaj2vh6j0m4p7s1v5x9z3b6d",
      errors: [{ pointer: "#/colour", detail: "this field is not known" }],
    },
  },
  ...CONVERSATION_EXAMPLES,
  ...AG_UI_EXAMPLES,
  ...PEOPLE_EXAMPLES,
  ...INBOUND_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
} as const satisfies Readonly<Record<string, Example>>;
