// The refund desk's people, as requests and answers: a refund waits for a person, a label for the shop's own system.
import type { Example } from "./document-types.ts";

const AT = "2026-11-21T09:31:00.000Z";
const EXPIRES_AT = "2026-11-22T09:31:00.000Z";
const AGENT_ID = "agt_01kaj2v9c8m3p6t0x4z7b2d5f8";
const SESSION_ID = "ses_01kaj2vcr4k7n1q5s9v3x6z0b2";
const REPLY_ID = "rep_01kaj2vf3h8m2p6r0t4w7y1a5c";
const INPUT_HASH = "sha256:6b1f0c9d8e7a54320f1e2d3c4b5a69788796a5b4c3d2e1f00123456789abcdef";

const refundRule = {
  tool_name: "refund_order",
  rule_content: null,
  behavior: "allow",
  source: "suggested",
};

const refundCall = {
  type: "tool_call",
  id: "call_2",
  name: "refund_order",
  input: '{"order_id":"A-1001","amount_cents":4200}',
  state: "asking",
  suggested_rules: [refundRule],
  created_at: AT,
  finished_at: AT,
};

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

export const PEOPLE_EXAMPLES = {
  newRules: {
    summary: "Refunds of one order need no person",
    value: {
      rules: [{ tool_name: "refund_order", rule_content: "A-1001", behavior: "allow" }],
    },
  },
  ruleTest: {
    summary: "A refund",
    value: { tool_name: "refund_order", input: { order_id: "A-1001", amount_cents: 4200 } },
  },
  ruleTestResult: {
    summary: "It would be asked for",
    value: { behavior: "ask", reason: null, rule: null, suggested_rules: [refundRule] },
  },
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
          suggested_rules: [refundRule],
          asked_at: AT,
          expires_at: EXPIRES_AT,
        },
      ],
      has_more: false,
      next_page: null,
    },
  },
  bulkAnswers: {
    summary: "One refund, from the list of what waits",
    value: { answers: [{ session_id: SESSION_ID, event: confirmation }] },
  },
  outcomes: {
    summary: "Taken",
    value: { data: [{ session_id: SESSION_ID, ok: true, ...receipt }] },
  },
} as const satisfies Readonly<Record<string, Example>>;
