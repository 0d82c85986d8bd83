// Permission decisions of all sessions.
import {
  TenantDecisionPageSchema,
  TenantDecisionListQuerySchema,
} from "../../protocol/decisions/contract.ts";
import {
  AGENT_ID,
  ASKED_AT,
  REPLY_ID,
  SESSION_ID,
  REFUND_RULE,
} from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

export const DECISIONS = {
  operations: {
    listTenantDecisions: {
      tag: "Permissions",
      summary: "List the permission decisions of all sessions",
      description: [
        "Newest first: what was asked, what was refused, and what people answered, without the calls' inputs. Calls that",
        "the rules, a tool or the mode allowed without asking are in the record of their session alone, as is everything",
        "that was decided before this list existed. With a filter a page may have fewer decisions than its limit, also",
        "none, and still have a next page.",
      ].join(" "),
      query: TenantDecisionListQuerySchema,
      answers: {
        200: {
          description: "A page of decisions.",
          json: TenantDecisionPageSchema,
          examples: ["tenantDecisions"],
        },
      },
    },
  },
  queryParameters: {
    behavior: "Only decisions of this kind: `ask`, `allow` or `deny`.",
    decided_by:
      "Only decisions of the platform (its rules, and expiries), or answers with this kind of credential.",
    decided_after: "Only what was decided at this moment or later.",
    decided_before: "Only what was decided before this moment.",
  },

  fieldDescriptions: {
    "TenantDecision.decided_at": "When it was decided.",
    "TenantDecision.decided_by": "Who decided.",
    "TenantDecision.decided_by.id": "The credential that answered; null for the platform.",
    "TenantDecision.decided_by.kind": "The platform by its rules, or a credential by its answer.",
    "TenantDecision.is_edited": "Whether the answer changed the call's input.",
    "TenantDecision.reason": "The reason, cut to 300 characters, or null.",
    "TenantDecision.seq": "The event of the decision in its session.",
  },
  examples: {
    tenantDecisions: {
      summary: "A refund that a person allowed",
      value: {
        data: [
          {
            session_id: SESSION_ID,
            agent_id: AGENT_ID,
            end_user_id: "customer-17",
            reply_id: REPLY_ID,
            seq: 31,
            tool_call_id: "call_2",
            tool_name: "refund_order",
            behavior: "allow",
            reason: null,
            rule: null,
            decided_by: { kind: "api_key", id: "key_01m6w9v3n8k2r5t7x0z4c6d8f1" },
            is_edited: false,
            decided_at: ASKED_AT,
          },
          {
            session_id: SESSION_ID,
            agent_id: AGENT_ID,
            end_user_id: "customer-17",
            reply_id: REPLY_ID,
            seq: 28,
            tool_call_id: "call_2",
            tool_name: "refund_order",
            behavior: "ask",
            reason: "Rule: refund_order",
            rule: { ...REFUND_RULE, rule_content: null, behavior: "ask" },
            decided_by: { kind: "platform", id: null },
            is_edited: false,
            decided_at: ASKED_AT,
          },
        ],
        has_more: false,
        next_page: null,
      },
    },
  },
} as const satisfies Resource;
