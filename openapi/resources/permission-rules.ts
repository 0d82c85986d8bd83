// A session's permission rules, and the record of decisions.
import {
  AddedRulesSchema,
  DecisionPageSchema,
  SessionRulePageSchema,
  RuleTestResultSchema,
  DecisionListQuerySchema,
  RuleTestSchema,
  RulesCreateSchema,
} from "../../protocol/permission/contract.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import { REFUND_RULE } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

export const PERMISSION_RULES = {
  tags: {
    Permissions: "Rules that allow, deny or ask for tool calls, and the record of decisions.",
  },
  operations: {
    listPermissionRules: {
      tag: "Permissions",
      summary: "List the permission rules of a session",
      description: "The session's own rules and its agent's, which cannot be removed here.",
      query: PageQuerySchema,
      answers: {
        200: { description: "A page of rules.", json: SessionRulePageSchema },
      },
    },
    createPermissionRules: {
      tag: "Permissions",
      summary: "Add rules to a session",
      description: [
        "They apply to each call that is decided from now on, also in a running reply. A rule that the session has",
        "already is not added twice. A rule may name a tool that the agent does not have.",
      ].join(" "),
      request: { json: RulesCreateSchema, examples: ["newRules"] },
      answers: {
        201: { description: "The rules, in the order of the request.", json: AddedRulesSchema },
      },
      errors: ["conflict"],
    },
    deletePermissionRule: {
      tag: "Permissions",
      summary: "Delete a rule of a session",
      description: "Calls that it decided before stay decided.",
      answers: { 204: { description: "The rule is removed." } },
    },
    testPermissionRules: {
      tag: "Permissions",
      summary: "Ask which rule decides a call",
      description:
        "The decision that a call would get at this moment, and why. Nothing is changed or recorded.",
      request: { json: RuleTestSchema, examples: ["ruleTest"] },
      answers: {
        200: {
          description: "The decision.",
          json: RuleTestResultSchema,
          examples: ["ruleTestResult"],
        },
      },
    },
    listDecisions: {
      tag: "Permissions",
      summary: "List the permission decisions of a session",
      description: "Newest first: decisions of the rules, and answers of people.",
      query: DecisionListQuerySchema,
      answers: { 200: { description: "A page of decisions.", json: DecisionPageSchema } },
    },
  },
  pathParameters: {
    rule_id: "The rule; an agent's own have no id.",
  },

  fieldDescriptions: {
    rules: "Rules, each for one tool.",
    suggested_rules: "Rules that an answer may add.",
    behavior: "The decision: `allow` runs the call, `ask` asks a person, `deny` refuses it.",
    reason: "The reason as text, or null.",
    rule: "The rule that decided; null when none did.",
    "PermissionRule.behavior": "The decision for matching calls.",
    "PermissionRule.rule_content": "Which calls of the tool; null or empty means all.",
    "PermissionRule.tool_name": "The name of the tool.",
    "AddedRules.data": "The rules, in the order of the request.",
    "Decision.decided_at": "When it was decided.",
    "Decision.decided_by": "Who decided.",
    "Decision.decided_by.id": "The credential that answered; null for the platform.",
    "Decision.decided_by.kind": "The platform by its rules, or a credential by its answer.",
    "Decision.edited_input": "The input that the answer gave; null when it was not edited.",
    "Decision.seq": "The event of the decision.",
    "PermissionRuleTest.input": "The call's input as the model would write it.",
    "SessionRule.created_by": "The credential that wrote it; null for the agent's own.",
    "SessionRule.created_at": "When it was written; null for the agent's own.",
    "SessionRule.id": "The id for its removal; null for the agent's own, which cannot be removed.",
    "SessionRule.rule_content": "Which calls of the tool; null or empty means all.",
    "SessionRule.scope": "Whose rule it is.",
  },
  examples: {
    newRules: {
      summary: "Refunds of one order need no confirmation",
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
      value: { behavior: "ask", reason: null, rule: null, suggested_rules: [REFUND_RULE] },
    },
  },
} as const satisfies Resource;
