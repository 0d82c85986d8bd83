// The decisions of an agent's permission, without a session and over past calls.
import { RuleTestResultSchema } from "../../protocol/permission/contract.ts";
import {
  SimulationSchema,
  AgentRuleTestSchema,
  SimulationCreateSchema,
} from "../../protocol/decisions/simulation.ts";
import { ASKED_AT, REPLY_ID, SESSION_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

const RULE = {
  tool_name: "refund_order",
  rule_content: "A-1001",
  behavior: "allow",
  source: "agent",
} as const;

export const PERMISSION_SIMULATION = {
  operations: {
    testAgentPermission: {
      tag: "Permissions",
      summary: "Ask which rule of an agent decides a call",
      description: [
        "The decision that a call would get by a version of an agent, or with another permission, without a session:",
        "neither a session's own rules nor its mode take part. Nothing is changed or recorded.",
      ].join(" "),
      request: { json: AgentRuleTestSchema, examples: ["agentRuleTest"] },
      answers: { 200: { description: "The decision.", json: RuleTestResultSchema } },
    },
    simulatePermission: {
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
  },

  fieldDescriptions: {
    "AgentRuleTest.input": "The call's input as the model would write it.",
    "AgentRuleTest.permission": "Instead of the version's own mode and rules.",
    "AgentRuleTest.permission.mode": "The decision for calls that no rule matches.",
    "AgentRuleTest.permission.bypass_untrusted":
      "As in an agent. Has no effect here, since there is no conversation with untrusted results.",
    "AgentRuleTest.permission.rules.rule_content":
      "Which calls of the tool, as the tool's `rule_syntax` says; null, empty or left out means all.",
    "AgentRuleTest.version": "The version to ask; the newest when left out.",
    "AgentRuleTest.working_directories": "As a session may have them.",
    "Simulation.version":
      "The version whose tools and rules are compared with; the newest when left out.",
    "Simulation.permission": "The mode and the rules to compare.",
    "Simulation.permission.mode": "The decision for calls that no rule matches.",
    "Simulation.permission.bypass_untrusted":
      "As in an agent. Has no effect here: what the model had been sent before a call is not kept.",
    "Simulation.permission.rules.rule_content":
      "Which calls of the tool, as the tool's `rule_syntax` says; null, empty or left out means all.",
    "Simulation.since": "Only calls that were decided at this moment or later.",
    "Simulation.until": "Only calls that were decided before this moment.",
    "Simulation.limit": "How many sessions a page asks.",
    "Simulation.page": "The `next_page` of the page before; all else is to be the same.",
    "Simulation.data": "Calls that would be decided otherwise, by session, newest first in each.",
    "Simulation.sessions": "Sessions of this page that answered.",
    "Simulation.sessions_failed":
      "Sessions of this page that did not answer in time, or cannot be read.",
    "Simulation.calls": "Calls of this page that were compared.",
    "Simulation.calls_skipped":
      "Calls that were not: the version lacks their tool, or their input cannot be read.",
    "SimulatedCall.decided_at": "When the call was decided.",
    "SimulatedCall.recorded": "What was decided then, by the rules of that time.",
    "SimulatedCall.before": "What the version decides, with the session's own rules of that time.",
    "SimulatedCall.after": "What the permission of the request decides, with the same rules.",
  },
  examples: {
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
} as const satisfies Resource;
