// Tool calls that wait for an answer, across sessions.
import {
  ConfirmationOutcomesSchema,
  ConfirmationPageSchema,
  ConfirmationListQuerySchema,
  ConfirmationsAnswerSchema,
} from "../../protocol/confirmations/contract.ts";
import {
  AGENT_ID,
  ASKED_AT,
  INPUT_HASH,
  REFUND_RULE,
  REPLY_ID,
  SESSION_ID,
} from "../../protocol/refund-desk.ts";
import { INPUT_EVENTS } from "./sessions/input-events.ts";
import type { Resource } from "../resource.ts";

const refundCall = {
  type: "tool_call",
  id: "call_2",
  name: "refund_order",
  input: '{"order_id":"A-1001","amount_cents":4200}',
  state: "asking",
  suggested_rules: [REFUND_RULE],
  created_at: ASKED_AT,
  finished_at: ASKED_AT,
};

const EXPIRES_AT = "2026-11-22T09:31:00.000Z";

export const CONFIRMATIONS = {
  tags: {
    Confirmations: "Tool calls that wait for a person or an external system, across sessions.",
  },
  operations: {
    listConfirmations: {
      tag: "Confirmations",
      summary: "List waiting tool calls of all sessions",
      description:
        "Calls that need a person's confirmation and calls that need an external result, oldest first.",
      query: ConfirmationListQuerySchema,
      answers: {
        200: {
          description: "A page of calls that wait.",
          json: ConfirmationPageSchema,
          examples: ["waitingCalls"],
        },
      },
    },
    answerConfirmations: {
      tag: "Confirmations",
      summary: "Answer waiting calls of several sessions",
      description: [
        "Input events for several sessions. Each has an outcome of its own, at the same place of `data`: a receipt, or",
        "the problem that it would have got alone. Answers to one session are applied in order, sessions in parallel.",
        "A credential that lacks a scope for one of the events is refused as a whole.",
      ].join(" "),
      headers: ["traceparent", "tracestate"],
      request: { json: ConfirmationsAnswerSchema, examples: ["bulkAnswers"] },
      answers: {
        200: {
          description: "The outcomes.",
          json: ConfirmationOutcomesSchema,
          examples: ["outcomes"],
        },
      },
    },
  },
  queryParameters: {
    asked_after: "Only calls that were asked about at this moment or later.",
    asked_before: "Only calls that were asked about before this moment.",
    expires_before: "Only calls that expire before this moment.",
    kind: "`permission` for a person's confirmation, `external_result` for the result of an external system.",
    session_id: "Only what belongs to this session.",
    tool_name: "Only calls of this tool.",
  },

  fieldDescriptions: {
    "AcceptedAnswer.ok": "The answer was accepted.",
    "AcceptedAnswer.cursor": "The position before the event.",
    "AcceptedAnswer.reply":
      "The reply right after the event was durable, or null. Its message is null too when the messages together are too large.",
    "RefusedAnswer.ok": "The answer was refused, and nothing changed.",
    "RefusedAnswer.problem": "The problem that the answer would have got alone.",
    "Confirmation.asked_at": "When it began to wait.",
    "Confirmation.input_hash": "Binds an answer to this input, or null.",
    "Confirmation.question": "The sentence with which to ask a person, as plain text.",
    "Confirmation.reasons":
      "Why it asks; left out of calls that wait for a result, and of those that asked before this member was there.",
    "Confirmation.reasons.untrusted":
      "The calls that brought in the untrusted content because of which it asks; empty where that is not why.",
    "Confirmation.elicitation":
      "What the server of an MCP tool asks a person for; the answer is the call's result. Left out of all other calls.",
    "Confirmation.elicitation.server": "The name of the server that asks.",
    "Confirmation.elicitation.round": "How often the call has asked, from 1.",
    "Confirmation.elicitation.requests": "By a key of the server: forms and links.",
    "Confirmation.kind": "Who has to answer: a person, or an external system.",
    "Confirmation.tool_call":
      "The call; null when it is too large for a list: its session shows it.",
    "ConfirmationsAnswer.answers": "The answers, each to the calls of one session.",
    "ConfirmationsAnswer.answers.event": "The answer, as it would be posted to the session.",
    "ConfirmationOutcomes.data": "One outcome for each answer, in the order of the request.",
  },
  examples: {
    waitingCalls: {
      summary: "A refund that waits for a person",
      value: {
        data: [
          {
            session_id: SESSION_ID,
            reply_id: REPLY_ID,
            agent_id: AGENT_ID,
            end_user_id: "customer-17",
            kind: "permission",
            tool_call_id: "call_2",
            tool_name: "refund_order",
            tool_call: refundCall,
            input_hash: INPUT_HASH,
            suggested_rules: [REFUND_RULE],
            asked_at: ASKED_AT,
            expires_at: EXPIRES_AT,
          },
        ],
        has_more: false,
        next_page: null,
      },
    },
    bulkAnswers: {
      summary: "One refund, from the list of waiting calls",
      value: {
        answers: [{ session_id: SESSION_ID, event: INPUT_EVENTS.examples.confirmation.value }],
      },
    },
    outcomes: {
      summary: "Accepted",
      value: {
        data: [{ session_id: SESSION_ID, ok: true, ...INPUT_EVENTS.examples.eventReceipt.value }],
      },
    },
  },
} as const satisfies Resource;
