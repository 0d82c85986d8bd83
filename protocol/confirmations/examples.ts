// Requests and answers of the refund desk, as examples of the routes.
import {
  AGENT_ID,
  ASKED_AT,
  INPUT_HASH,
  REFUND_RULE,
  REPLY_ID,
  SESSION_ID,
} from "../refund-desk.ts";
import { EVENT_EXAMPLES } from "../events/examples.ts";

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

export const CONFIRMATION_EXAMPLES = {
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
      answers: [{ session_id: SESSION_ID, event: EVENT_EXAMPLES.confirmation.value }],
    },
  },
  outcomes: {
    summary: "Accepted",
    value: {
      data: [{ session_id: SESSION_ID, ok: true, ...EVENT_EXAMPLES.eventReceipt.value }],
    },
  },
} as const;
