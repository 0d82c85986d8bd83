// Callback addresses, which outgoing webhooks carry.
import { ANSWER_REFUSALS } from "../../protocol/confirmations/answer-refusals.ts";
import {
  AnswerReceiptSchema,
  CallbackSchema,
  CallbackAnswerSchema,
} from "../../protocol/inbound/callbacks.ts";
import { REPLY_ID, SESSION_ID } from "../../protocol/refund-desk.ts";
import { CONFIRMATIONS } from "./confirmations.ts";
import type { Resource } from "../resource.ts";

const [waiting] = CONFIRMATIONS.examples.waitingCalls.value.data;

export const CALLBACKS = {
  tags: {
    Callbacks:
      "Signed addresses in webhooks, which answer the tool calls that the webhook announces.",
  },
  operations: {
    readCallback: {
      tag: "Callbacks",
      summary: "Get the waiting calls of a callback address",
      description: [
        "The address itself is the credential: an outgoing webhook has it as `callback_url`.",
        "Reading changes nothing. Once each call was answered `pending` is empty.",
      ].join(" "),
      answers: {
        200: {
          description: "The calls that still wait.",
          json: CallbackSchema,
          examples: ["callback"],
        },
      },
      errors: ["unauthenticated"],
    },
    answerCallback: {
      tag: "Callbacks",
      summary: "Answer the calls of a callback address",
      description: [
        "One USER_CONFIRM_RESULT or EXTERNAL_EXECUTION_RESULT for calls that the address is about.",
        "A confirmation must include the input's hash (`metadata.input_hashes`), and may add only rules that",
        "were suggested. Each call is answered once; the same answer under the same `Idempotency-Key` gets its receipt",
        "again. Another input than the one that was asked about needs the verb `edit` among the `callback_verbs` of the webhook endpoint.",
      ].join(" "),
      headers: ["traceparent", "tracestate"],
      request: { json: CallbackAnswerSchema, examples: ["confirmation"] },
      answers: {
        202: {
          description: "The answer is durable; the reply continues.",
          json: AnswerReceiptSchema,
          examples: ["answerReceipt"],
        },
      },
      errors: ["unauthenticated", "verb_missing", "input_hash_missing", ...ANSWER_REFUSALS],
    },
  },
  pathParameters: {
    callback_token: "The signed part of the address.",
  },

  fieldDescriptions: {
    "AnswerReceipt.reply_id": "The reply; null for an interrupt where nothing ran.",
    "AnswerReceipt.status": "The reply's, right after the answer was durable.",
    "Callback.expires_at": "Until when the address can be used.",
    "Callback.pending": "The calls that still wait; empty once each was answered.",
  },
  examples: {
    callback: {
      summary: "A refund that waits for a person",
      value: {
        session_id: SESSION_ID,
        reply_id: REPLY_ID,
        pending: [
          {
            kind: "permission",
            tool_call: waiting.tool_call,
            input_hash: waiting.input_hash,
            expires_at: waiting.expires_at,
            suggested_rules: waiting.suggested_rules,
          },
        ],
        expires_at: waiting.expires_at,
      },
    },
    answerReceipt: {
      summary: "The answer is accepted, and the reply continues",
      value: { session_id: SESSION_ID, reply_id: REPLY_ID, status: "running", applied: true },
    },
  },
} as const satisfies Resource;
