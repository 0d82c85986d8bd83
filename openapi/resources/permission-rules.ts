// A session's permission rules, and the record of decisions.
import {
  AddedRulesSchema,
  DecisionPageSchema,
  DecisionSchema,
  RuleTestResultSchema,
  SessionRulePageSchema,
  SessionRuleSchema,
} from "../../protocol/api/answers/responses-people.ts";
import {
  DecisionListQuerySchema,
  RuleInputSchema,
  RuleTestSchema,
  RulesCreateSchema,
} from "../../protocol/api/permission-rules.ts";
import { PageQuerySchema } from "../../protocol/api/schemas/common.ts";
import { PermissionModeSchema, PermissionRuleSchema } from "../../protocol/messages/permission.ts";
import { noContent } from "../operation.ts";
import { REFUND_RULE } from "../refund-desk.ts";
import type { Resource } from "../resource.ts";

export const PERMISSION_RULES = {
  tags: {
    Permissions: "Which calls may run, may not, or are asked about, and what was decided.",
  },
  operations: {
    listPermissionRules: {
      tag: "Permissions",
      summary: "List the rules that hold in a session",
      description: "The session's own and its agent's, which a session cannot remove.",
      query: PageQuerySchema,
      answers: {
        200: { description: "A page of rules.", json: "SessionRulePage" },
      },
    },
    createPermissionRules: {
      tag: "Permissions",
      summary: "Add rules to a session",
      description: [
        "They hold for each call that is decided from now on, also in a reply that runs. A rule that stands there",
        "already is not added twice. A rule may name a tool that the agent does not have, or not yet.",
      ].join(" "),
      body: { schema: "PermissionRulesCreate", examples: ["newRules"] },
      answers: {
        201: { description: "The rules, in the order of the request.", json: "AddedRules" },
      },
      errors: ["conflict"],
    },
    deletePermissionRule: {
      tag: "Permissions",
      summary: "Remove a rule of a session",
      description: "Calls that were decided by it stay decided.",
      answers: { 204: noContent("The rule is removed.") },
    },
    testPermissionRules: {
      tag: "Permissions",
      summary: "Ask which rule decides a call",
      description: "What a call would get at this moment, and why. Nothing is changed or recorded.",
      body: { schema: "PermissionRuleTest", examples: ["ruleTest"] },
      answers: {
        200: { description: "The decision.", json: "RuleTestResult", examples: ["ruleTestResult"] },
      },
    },
    listDecisions: {
      tag: "Permissions",
      summary: "List who decided what in a session",
      description:
        "The audit record, newest first: what the rules decided, and what people answered.",
      query: DecisionListQuerySchema,
      answers: { 200: { description: "A page of decisions.", json: "DecisionPage" } },
    },
  },
  pathParameters: {
    rule_id: "The rule; an agent's own have no id.",
  },
  requestSchemas: {
    PermissionRulesCreate: RulesCreateSchema,
    PermissionRuleTest: RuleTestSchema,
    PermissionRuleInput: RuleInputSchema,
    PermissionRule: PermissionRuleSchema,
    PermissionMode: PermissionModeSchema,
  },
  answerSchemas: {
    PermissionMode: PermissionModeSchema,
    PermissionRule: PermissionRuleSchema,
    SessionRule: SessionRuleSchema,
    SessionRulePage: SessionRulePageSchema,
    AddedRules: AddedRulesSchema,
    RuleTestResult: RuleTestResultSchema,
    Decision: DecisionSchema,
    DecisionPage: DecisionPageSchema,
  },
  schemaDescriptions: {
    AddedRules: "The rules that a request has added.",
    Decision: "One line of the audit record.",
    PermissionMode: "What happens to a call that no rule decides.",
    PermissionRule: "Which calls may run, may not, or have to be asked for.",
    RuleTestResult: "What a call would get at this moment.",
    SessionRule: "A rule that holds in a session: its own, or its agent's.",
  },
  fieldDescriptions: {
    rules: "Rules, each for one tool.",
    suggested_rules: "Rules that an answer may switch on.",
    behavior: "What is decided: `allow` runs it, `ask` asks a person, `deny` refuses it.",
    reason: "Why, in words; null when there is nothing to say.",
    rule: "The rule that decided; null when none did.",
    "PermissionRule.behavior": "What the rule says.",
    "PermissionRule.rule_content": "Which calls of the tool; null or empty means all.",
    "PermissionRule.tool_name": "The tool that the rule is about.",
    "AddedRules.data": "The rules as they stand now.",
    "Decision.decided_at": "When it was decided.",
    "Decision.decided_by": "Who decided.",
    "Decision.decided_by.id": "The credential that answered; null for the platform.",
    "Decision.decided_by.kind": "The platform by its rules, or a credential by its answer.",
    "Decision.edited_input": "What an answer changed the input to; null when it left it.",
    "Decision.seq": "The event that brought it.",
    "PermissionRuleTest.input": "The call's input as the model would write it.",
    "SessionRule.created_by": "The credential that wrote it; null for the agent's own.",
    "SessionRule.created_at": "When it was written; null for the agent's own.",
    "SessionRule.id": "Names it for its removal; null for the agent's own, which stay.",
    "SessionRule.rule_content": "Which calls of the tool; null or empty means all.",
    "SessionRule.scope": "Whose rule it is.",
  },
  examples: {
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
      value: { behavior: "ask", reason: null, rule: null, suggested_rules: [REFUND_RULE] },
    },
  },
} as const satisfies Resource;
