// Requests and answers of the refund desk, as examples of the routes.
import { REPLY_ID, INPUT_HASH, SESSION_ID } from "../refund-desk.ts";

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

const confirmation = {
  type: "USER_CONFIRM_RESULT",
  reply_id: REPLY_ID,
  metadata: { input_hashes: { call_2: INPUT_HASH } },
  confirm_results: [{ confirmed: true, tool_call: { id: "call_2" } }],
};

const receipt = {
  reply: {
    id: REPLY_ID,
    session_id: SESSION_ID,
    status: "running",
    message: null,
    pending: [],
    error: null,
    usage: null,
    cursor: 42,
  },
  cursor: 40,
  applied: true,
};

export const EVENT_EXAMPLES = {
  eventStream: {
    summary: "Two pieces of a text",
    value: textEvents
      .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(""),
  },
  confirmation: { summary: "Allow the call", value: confirmation },
  denial: {
    summary: "Deny the call, and say why",
    value: {
      ...confirmation,
      confirm_results: [
        { confirmed: false, tool_call: { id: "call_2" }, reason: "The parcel never left." },
      ],
    },
  },
  editedConfirmation: {
    summary: "Allow the call with a smaller amount",
    value: {
      ...confirmation,
      confirm_results: [
        {
          confirmed: true,
          tool_call: { id: "call_2", input: '{"order_id":"A-1001","amount_cents":2100}' },
        },
      ],
    },
  },
  externalResult: {
    summary: "The result of the shop's label printer",
    value: {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: REPLY_ID,
      execution_results: [{ id: "call_3", output: "Label 1Z-4711 is printed." }],
    },
  },
  userInterrupt: {
    summary: "Interrupt the reply",
    value: { type: "USER_INTERRUPT", reply_id: REPLY_ID },
  },
  eventReceipt: { summary: "The answer is accepted, and the reply continues", value: receipt },
} as const;
