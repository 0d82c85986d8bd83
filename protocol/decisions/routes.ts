// Routes on decisions: recorded ones, and those that an agent's permission would make.
import { RuleTestResultSchema } from "../permission/contract.ts";
import { SimulationSchema, AgentRuleTestSchema, SimulationCreateSchema } from "./simulation.ts";
import { ASKED_AT, REPLY_ID, SESSION_ID, AGENT_ID, REFUND_RULE } from "../refund-desk.ts";
import { TenantDecisionPageSchema, TenantDecisionListQuerySchema } from "./contract.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { DECISION_WORDS } from "./words.ts";

const RULE = {
  tool_name: "refund_order",
  rule_content: "A-1001",
  behavior: "allow",
  source: "agent",
} as const;

const DECISION_ROUTES = [
  {
    name: "testAgentPermission",
    method: "POST",
    path: "/v1/agents/{agent_id}/permission-rules/test",
    access: "permission_rules:read",
    body: "json",
    tag: "Permissions",
    summary: "Ask which rule of an agent decides a call",
    description: [
      "The decision that a call would get by a version of an agent, or with another permission, without a session:",
      "neither a session's own rules nor its mode take part. Nothing is changed or recorded.",
    ].join(" "),
    request: { json: AgentRuleTestSchema, examples: ["agentRuleTest"] },
    answers: { 200: { description: "The decision.", json: RuleTestResultSchema } },
  },

  {
    name: "simulatePermission",
    method: "POST",
    path: "/v1/agents/{agent_id}/permission-rules/simulate",
    access: "permission_rules:read",
    body: "json",
    tag: "Permissions",
    summary: "Find past calls that another permission would have decided otherwise",
    description: [
      "Compares a permission with that of a version of the agent, over calls that its sessions have decided, newest",
      "sessions first. Each call is decided twice, with the tools of that version and with the session's own mode and",
      "the rules that the session has and had at that time. A page asks some sessions; with `next_page` as `page` the",
      "next request goes on, also when `data` is empty. Deleted sessions are left out. Nothing is changed or recorded.",
      "It shows inputs of calls, so it needs the scope `sessions:read` too.",
    ].join(" "),
    request: { json: SimulationCreateSchema, examples: ["simulation"] },
    answers: {
      200: {
        description: "The calls of this page that would be decided otherwise, and counts.",
        json: SimulationSchema,
        examples: ["simulated"],
      },
    },
  },

  {
    name: "listTenantDecisions",
    method: "GET",
    path: "/v1/decisions",
    access: "permission_rules:read",
    body: "none",
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
] as const satisfies readonly DocumentedRoute[];

export const DECISION_CONTRACT = {
  routes: DECISION_ROUTES,
  queryParameters: {
    behavior: "Only decisions of this kind: `ask`, `allow` or `deny`.",
    decided_by:
      "Only decisions of the platform (its rules, and expiries), or answers with this kind of credential.",
    answered_by:
      "Only answers of the key or the member that asks for the list (`me`), or of all others, without what the platform decides.",
    decided_after: "Only what was decided at this moment or later.",
    decided_before: "Only what was decided before this moment.",
  },
  fields: DECISION_WORDS,
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
    agentRuleTest: {
      summary: "A look at an order, in a mode that asks nobody",
      value: {
        permission: { mode: "dont_ask", rules: [] },
        tool_name: "lookup_order",
        input: { order_id: "A-1001" },
      },
    },
    simulation: {
      summary: "Refunds of one order need no confirmation",
      value: { permission: { mode: "default", rules: [RULE] }, since: ASKED_AT },
    },
    simulated: {
      summary: "One refund would not have been asked about",
      value: {
        data: [
          {
            session_id: SESSION_ID,
            reply_id: REPLY_ID,
            tool_call_id: "call_2",
            tool_name: "refund_order",
            decided_at: ASKED_AT,
            recorded: { behavior: "ask", reason: "Mode: default", rule: null },
            before: { behavior: "ask", reason: "Mode: default", rule: null },
            after: { behavior: "allow", reason: null, rule: RULE },
          },
        ],
        sessions: 20,
        sessions_failed: 0,
        calls: 61,
        calls_skipped: 0,
        has_more: false,
        next_page: null,
      },
    },
  },
} as const satisfies Contract;
